import type { Size } from "../image/image.js";

/**
 * The steps after which a run's picture is kept for its film, besides the last one: the start and the powers of four.
 * They do not depend on where a run ends, so that one that is continued has the frames of one that never stopped.
 */
export const filmSteps: readonly number[] = [0, ...Array.from({ length: 14 }, (_, i) => 4 ** (i + 1))];

/** Pixels of a frame's longer side, at most. */
const maxSide = 256;

/** The size of a picture's frames. */
export function frameSize({ width, height }: Size): Size {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const side = (pixels: number) => Math.max(1, Math.round(scale * pixels));
  return { width: side(width), height: side(height) };
}
