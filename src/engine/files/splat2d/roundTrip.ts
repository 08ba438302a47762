import type { TrainConfig } from "../../config.js";
import { drawBlobs } from "../../draw.js";
import type { FloatImage, Image, Size } from "../../image/image.js";
import { lossOf, psnr } from "../../image/metrics.js";
import type { Backend } from "../../pipeline.js";
import type { FileResult } from "../runDescription.js";
import { finestPrecision, type QuantizationSteps, quantizationSteps } from "./precision.js";
import { decodeSplat2d, encodeSplat2d, type Splat2d } from "./splat2d.js";

/** What a .splat2d file costs and keeps, by reading it back. */
export async function measureFile(bytes: Uint8Array, target: Image, draw: DrawFile): Promise<FileResult> {
  return { ...fileSize(bytes, target), psnr: psnr(await draw(decodeSplat2d(bytes)), target) };
}

/** Draws what was read from a file, at its own size. */
export type DrawFile = (read: Splat2d) => Promise<FloatImage>;

/** Draws files of a job's blobs, whose number may be smaller, on the engine that trains it. */
export function drawWith(backend: Backend, config: TrainConfig, target: Image): DrawFile {
  return ({ config: { blobs }, parameters }) =>
    drawBlobs(backend, { config: { ...config, blobs }, size: target, parameters, renderSize: target });
}

/** By how much rounding adds to the squared error: a tenth costs 0.4 dB. Where that is much, no more than 40 dB down. */
const roundingFraction = 0.1;
const maxRounding = 1e-4;
/** How many times coarser than usual a file is made at most: the error's law holds no further. */
const coarsest = 1 / 8;

/**
 * Blobs as a .splat2d file whose rounding adds a tenth to the error that the picture has anyway: finer would be larger
 * than the picture is worth, and coarser would waste what was learned. A trial at the usual precision tells what
 * rounding does, since its error goes by the precision.
 * @param render what the parameters render to, unrounded
 */
export async function encodeByError(
  config: TrainConfig,
  parameters: Float32Array,
  render: FloatImage,
  target: Image,
  draw: DrawFile,
  { trialFile, fileByError }: Encoding = encoding,
): Promise<Uint8Array> {
  const { width, height } = target;
  const { trial, read } = await trialFile(config, { width, height }, parameters);
  return fileByError(config, parameters, render, target, trial, await draw(read));
}

/** What comes before and after the drawing of `encodeByError`; a page leaves both to a worker. */
export interface Encoding {
  trialFile(...args: Parameters<typeof trialFile>): MaybePromise<ReturnType<typeof trialFile>>;
  fileByError(...args: Parameters<typeof fileByError>): MaybePromise<ReturnType<typeof fileByError>>;
}

type MaybePromise<T> = T | Promise<T>;

const encoding: Encoding = { trialFile, fileByError };

/** A file at the usual precision, and what it reads as. */
export function trialFile(config: TrainConfig, size: Size, parameters: Float32Array) {
  const trial = encodeSplat2d(config, size, parameters);
  return { trial, read: decodeSplat2d(trial) };
}

/**
 * The file of `encodeByError`.
 * @param drawn what the trial file draws
 */
export function fileByError(
  config: TrainConfig,
  parameters: Float32Array,
  render: FloatImage,
  target: Image,
  trial: Uint8Array,
  drawn: FloatImage,
): Uint8Array {
  const rounding = meanSquareDifference(drawn, render);
  // What lies on the grid already would bear any step.
  if (rounding === 0) return trial;
  return encodeSplat2d(config, target, parameters, stepsByError(config, rounding, lossOf(render, target) / 3));
}

/**
 * The steps of `encodeByError`.
 * @param rounding what the usual precision adds to the mean squared error
 * @param error that of the picture
 */
export function stepsByError(config: TrainConfig, rounding: number, error: number): QuantizationSteps {
  const allowed = Math.min(Math.max(roundingFraction * error, 1e-12), maxRounding);
  const precision = Math.sqrt(rounding / allowed);
  return quantizationSteps(config, Math.min(Math.max(precision, coarsest), finestPrecision));
}

/** Of two pictures' red, green and blue. */
export function meanSquareDifference({ data }: FloatImage, other: FloatImage): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) if ((i & 3) !== 3) sum += (data[i] - other.data[i]) ** 2;
  return sum / ((3 * data.length) / 4);
}

/** The size of a file, in bytes and by the picture's pixels. */
export function fileSize(bytes: Uint8Array, { width, height }: { width: number; height: number }) {
  return { bytes: bytes.length, bitsPerPixel: (8 * bytes.length) / (width * height) };
}

/** A file's size for people, such as "4148 bytes, 2.025 bits per pixel". */
export function describeFileSize({ bytes, bitsPerPixel }: Omit<FileResult, "psnr">): string {
  return `${bytes.toLocaleString("en-US")} bytes, ${bitsPerPixel.toFixed(3)} bits per pixel`;
}
