import type { TrainingState } from "../blobs.js";
import type { Image, Picture } from "../image.js";
import { psnr } from "../metrics.js";
import type { FileResult } from "../runDescription.js";
import { decodeSplat2d, type Splat2d } from "./splat2d.js";

/**
 * What a .splat2d file costs and keeps, by reading it back.
 * @param render draws what was read, at its own size
 */
export async function measureFile(
  bytes: Uint8Array,
  target: Image,
  render: (read: Splat2d) => Promise<Picture>,
): Promise<FileResult> {
  const read = decodeSplat2d(bytes);
  return { ...sizeOf(bytes, target), psnr: psnr(await render(read), target) };
}

/** The size of a file, in bytes and by the picture's pixels. */
export function sizeOf(bytes: Uint8Array, { width, height }: { width: number; height: number }) {
  return { bytes: bytes.length, bitsPerPixel: (8 * bytes.length) / (width * height) };
}

/** A file's size for people, such as "4148 bytes, 2.025 bits per pixel". */
export function describeSize({ bytes, bitsPerPixel }: Omit<FileResult, "psnr">): string {
  return `${bytes} bytes, ${bitsPerPixel.toFixed(3)} bits per pixel`;
}

/** Raw parameters as a state to render from: at no step, without an optimiser. */
export function stateOf(parameters: Float32Array): TrainingState {
  const { length } = parameters;
  return { step: 0, parameters, firstMoments: new Float32Array(length), secondMoments: new Float32Array(length) };
}
