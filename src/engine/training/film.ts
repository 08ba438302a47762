import type { Size } from "../image/image.js";
import { reducedSize } from "../image/reduce.js";

/**
 * The steps after which the film gets a frame, besides the last one: the start and the powers of four. They do not
 * depend on the end of the run, so a resumed run has the same frames as an uninterrupted one.
 */
export const filmSteps: readonly number[] = [0, ...Array.from({ length: 14 }, (_, i) => 4 ** (i + 1))];

/** Most pixels of a frame's longer side. */
const maxSide = 256;

/** Returns the size of the frames of an image. */
export function frameSize(size: Size): Size {
  return reducedSize(size, maxSide);
}
