import { clamp } from "../../clamp.js";
import type { TrainConfig } from "../../config.js";
import { type FloatImage, type Image, type Size, sizeOf } from "../../image/image.js";
import { lossOf, meanSquaredDifference, psnr } from "../../image/metrics.js";
import type { FileResult } from "../runDescription.js";
import type { DrawFile } from "./drawFile.js";
import { finestPrecision, type QuantizationSteps, quantizationSteps } from "./precision.js";
import { decodeSplat2d, encodeSplat2d } from "./splat2d.js";

/** Returns the size of a .splat2d file, and the PSNR of the blobs read back from it. */
export async function measureFile(bytes: Uint8Array, target: Image, draw: DrawFile): Promise<FileResult> {
  return { ...fileSize(bytes, target), psnr: psnr(await draw(decodeSplat2d(bytes)), target) };
}

/** The part of the squared error that rounding may add, 0.4 dB, with an upper limit at a PSNR of 40 dB. */
const roundingFraction = 0.1;
const maxRounding = 1e-4;
/** Lowest precision; beyond it rounding errors do not follow the law. */
const coarsest = 1 / 8;

/**
 * Returns blobs as a .splat2d file in which rounding increases the squared error by a tenth: a finer file would be large
 * for its quality, a coarser one would waste training. The rounding error follows from a trial file at the usual
 * precision, because it is proportional to the square of the steps.
 * @param render the render of the unrounded parameters
 */
export async function encodeByError(
  config: TrainConfig,
  parameters: Float32Array,
  render: FloatImage,
  target: Image,
  draw: DrawFile,
): Promise<Uint8Array> {
  const { trial, read } = trialFile(config, sizeOf(target), parameters);
  return fileByError(config, parameters, render, target, trial, await draw(read));
}

/** Returns a file at the usual precision, and the blobs read back from it. */
export function trialFile(config: TrainConfig, size: Size, parameters: Float32Array) {
  const trial = encodeSplat2d(config, size, parameters);
  return { trial, read: decodeSplat2d(trial) };
}

/**
 * Returns the file of `encodeByError`.
 * @param drawn the render of the trial file
 */
export function fileByError(
  config: TrainConfig,
  parameters: Float32Array,
  render: FloatImage,
  target: Image,
  trial: Uint8Array,
  drawn: FloatImage,
): Uint8Array {
  const rounding = meanSquaredDifference(drawn, render);
  // Parameters on the grid have no rounding error from which steps follow.
  if (rounding === 0) return trial;
  return encodeSplat2d(config, target, parameters, stepsByError(config, rounding, lossOf(render, target) / 3));
}

/**
 * Returns the steps of `encodeByError`.
 * @param rounding mean squared error of rounding at the usual precision
 * @param error mean squared error of the render
 */
export function stepsByError(config: TrainConfig, rounding: number, error: number): QuantizationSteps {
  const allowed = clamp(roundingFraction * error, 1e-12, maxRounding);
  return quantizationSteps(config, clamp(Math.sqrt(rounding / allowed), coarsest, finestPrecision));
}

/** Returns the size of a file in bytes, and in bits per pixel of the image. */
export function fileSize(bytes: Uint8Array, { width, height }: Size) {
  return { bytes: bytes.length, bitsPerPixel: (8 * bytes.length) / (width * height) };
}

/** Formats the size of a file: "4148 bytes, 2.025 bits per pixel". */
export function describeFileSize({ bytes, bitsPerPixel }: Omit<FileResult, "psnr">): string {
  return `${bytes.toLocaleString("en-US")} bytes, ${bitsPerPixel.toFixed(3)} bits per pixel`;
}
