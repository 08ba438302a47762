import { clamp } from "../clamp.js";
import { mustBe } from "../quoted.js";
import type { FloatImage, Image } from "./image.js";
import { multiScaleSimilarity, type Plane, scaleWeights, similarity, windowSize } from "./ssim.js";

/** Fewest pixels of the smaller side of an image: one window for SSIM, one at the coarsest scale for MS-SSIM. */
export const minSide = { ssim: windowSize, msSsim: (windowSize - 1) * 2 ** (scaleWeights.length - 1) + 1 };

/**
 * Returns the PSNR in decibels of values 0..1.
 * @param loss the training loss: squared error, summed over red, green and blue and averaged over pixels
 */
export function psnrOfLoss(loss: number): number {
  return -10 * Math.log10(loss / 3);
}

/**
 * Returns the loss of a render: the squared error, summed over red, green and blue and averaged over pixels, of float
 * values clamped to 0..1 and not rounded to 8 bits.
 * @throws RangeError if the sizes differ
 */
export function lossOf(render: FloatImage, target: Image): number {
  requireSizes(render, target, "A loss");
  let sum = 0;
  for (let i = 0; i < render.data.length; i++) {
    if ((i & 3) === 3) continue;
    const error = clamp(render.data[i], 0, 1) - target.data[i] / 255;
    sum += error * error;
  }
  return sum / (render.width * render.height);
}

/** Returns the mean squared difference of red, green and blue of two renders. */
export function meanSquaredDifference({ data }: FloatImage, other: FloatImage): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) if ((i & 3) !== 3) sum += (data[i] - other.data[i]) ** 2;
  return sum / ((3 * data.length) / 4);
}

/** Returns the PSNR of a render in decibels, from `lossOf`. */
export function psnr(render: FloatImage, target: Image): number {
  return psnrOfLoss(lossOf(render, target));
}

/**
 * Returns the SSIM of a render, at most 1: the mean over red, green and blue, of float values clamped to 0..1 and not
 * rounded to 8 bits. The window is a Gaussian of 11×11 pixels with a sigma of 1.5 that stays inside the image; K1 is
 * 0.01, K2 0.03. NaN if the render contains a NaN.
 * Wang, Bovik, Sheikh, Simoncelli, 2004.
 * @throws RangeError if the sizes differ or a side is less than `minSide.ssim`
 */
export function ssim(render: FloatImage, target: Image): number {
  requireSizes(render, target, "SSIM", minSide.ssim);
  return meanOfChannels(render, target, (x, y) => similarity(x, y).ssim);
}

/**
 * Returns the MS-SSIM of a render, 0..1, over five scales, otherwise as `ssim`. It equals the result of pytorch-msssim,
 * with which most published values were computed.
 * Wang, Simoncelli, Bovik, 2003.
 * @throws RangeError if the sizes differ or a side is less than `minSide.msSsim`
 */
export function msSsim(render: FloatImage, target: Image): number {
  requireSizes(render, target, "MS-SSIM", minSide.msSsim);
  return meanOfChannels(render, target, multiScaleSimilarity);
}

function meanOfChannels(render: FloatImage, target: Image, metric: (x: Plane, y: Plane) => number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) {
    sum += metric(
      planeOf(render, channel, (value) => clamp(value, 0, 1)),
      planeOf(target, channel, (byte) => byte / 255),
    );
  }
  return sum / 3;
}

function planeOf(
  { width, height, data }: FloatImage | Image,
  channel: number,
  value: (stored: number) => number,
): Plane {
  const values = new Float64Array(width * height);
  for (let pixel = 0; pixel < values.length; pixel++) values[pixel] = value(data[4 * pixel + channel]);
  return { width, height, data: values };
}

function requireSizes({ width, height }: FloatImage, target: Image, name: string, least = 0): void {
  if (width !== target.width || height !== target.height) {
    throw new RangeError(`${name} needs two images of the same size.`);
  }
  if (Math.min(width, height) >= least) return;
  throw new RangeError(mustBe(`The image of ${name}`, `at least ${least}x${least} pixels`, `${width}x${height}`));
}
