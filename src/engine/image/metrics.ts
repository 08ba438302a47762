import type { Image, Picture } from "./image.js";
import { multiScaleSimilarity, type Plane, scaleWeights, similarity, windowSize } from "./ssim.js";

/** Pixels that the smaller side of a picture needs at least: for SSIM one window, for MS-SSIM one at its coarsest scale. */
export const leastSide = { ssim: windowSize, msSsim: (windowSize - 1) * 2 ** (scaleWeights.length - 1) + 1 };

/**
 * Returns the PSNR in decibels of values 0..1.
 * @param loss the training loss: squared error, summed over red, green and blue and averaged over pixels
 */
export function psnrOfLoss(loss: number): number {
  return -10 * Math.log10(loss / 3);
}

/**
 * The loss of a picture against its target: the sum of squared errors over rgb a pixel, of float values clamped to
 * 0..1 and not rounded to 8 bits.
 * @throws RangeError if the sizes differ
 */
export function lossOf(picture: Picture, target: Image): number {
  requireOneSize(picture, target, "A loss");
  let sum = 0;
  for (let i = 0; i < picture.data.length; i++) {
    if ((i & 3) === 3) continue;
    const error = clamped(picture.data[i]) - target.data[i] / 255;
    sum += error * error;
  }
  return sum / (picture.width * picture.height);
}

/** PSNR in decibels of a picture against its target, from `lossOf`. */
export function psnr(picture: Picture, target: Image): number {
  return psnrOfLoss(lossOf(picture, target));
}

/**
 * SSIM of a picture against its target, at most 1: the mean over red, green and blue, of float values clamped to 0..1
 * and not rounded to 8 bits. The window is a Gaussian of 11×11 pixels with a sigma of 1.5, and never leaves the
 * picture; K1 is 0.01, K2 0.03. A NaN in the picture makes it NaN.
 * Wang, Bovik, Sheikh, Simoncelli, 2004.
 * @throws RangeError if the sizes differ or a side is less than `leastSide.ssim`
 */
export function ssim(picture: Picture, target: Image): number {
  requireOneSize(picture, target, "SSIM");
  requireSide(picture, leastSide.ssim, "SSIM");
  return meanOfChannels(picture, target, (x, y) => similarity(x, y).ssim);
}

/**
 * MS-SSIM of a picture against its target, 0..1, over five scales, otherwise as `ssim`. It is what pytorch-msssim
 * computes, so that it compares with the figures published with that package.
 * Wang, Simoncelli, Bovik, 2003.
 * @throws RangeError if the sizes differ or a side is less than `leastSide.msSsim`
 */
export function msSsim(picture: Picture, target: Image): number {
  requireOneSize(picture, target, "MS-SSIM");
  requireSide(picture, leastSide.msSsim, "MS-SSIM");
  return meanOfChannels(picture, target, multiScaleSimilarity);
}

function meanOfChannels(picture: Picture, target: Image, metric: (x: Plane, y: Plane) => number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) {
    sum += metric(
      planeOf(picture, channel, clamped),
      planeOf(target, channel, (byte) => byte / 255),
    );
  }
  return sum / 3;
}

function planeOf({ width, height, data }: Picture | Image, channel: number, value: (stored: number) => number): Plane {
  const values = new Float64Array(width * height);
  for (let pixel = 0; pixel < values.length; pixel++) values[pixel] = value(data[4 * pixel + channel]);
  return { width, height, data: values };
}

function clamped(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

function requireOneSize(picture: Picture, target: Image, name: string): void {
  if (picture.width !== target.width || picture.height !== target.height) {
    throw new RangeError(`${name} needs two pictures of one size.`);
  }
}

function requireSide({ width, height }: Picture, least: number, name: string): void {
  if (Math.min(width, height) < least) {
    throw new RangeError(
      `${name} needs a picture of at least ${least}×${least} pixels; this one has ${width}×${height}.`,
    );
  }
}
