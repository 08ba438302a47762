import type { Image, Picture } from "./image.js";

/** PSNR in decibels of values 0..1 from the training loss, the sum of squared errors over rgb a pixel. */
export function psnrOfLoss(loss: number): number {
  return -10 * Math.log10(loss / 3);
}

/**
 * The loss of a picture against its target: the sum of squared errors over rgb a pixel, of float values clamped to
 * 0..1 and not rounded to 8 bits.
 * @throws RangeError if the sizes differ
 */
export function lossOf(picture: Picture, target: Image): number {
  if (picture.width !== target.width || picture.height !== target.height) {
    throw new RangeError("A loss needs two pictures of one size.");
  }
  let sum = 0;
  for (let i = 0; i < picture.data.length; i++) {
    if ((i & 3) === 3) continue;
    const error = Math.min(Math.max(picture.data[i], 0), 1) - target.data[i] / 255;
    sum += error * error;
  }
  return sum / (picture.width * picture.height);
}

/** PSNR in decibels of a picture against its target, from `lossOf`. */
export function psnr(picture: Picture, target: Image): number {
  return psnrOfLoss(lossOf(picture, target));
}
