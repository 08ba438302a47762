import type { FloatImage, Image } from "../../engine/image/image.js";
import { rampOffset } from "./rampOffset.js";

/** The error that has the ramp's last colour where nothing else is said; larger ones have it too. */
export const largestError = 0.5;

/** A pixel's error: the mean of |render − target| over red, green and blue, which run from 0 to 1. */
export function errorAt({ data }: FloatImage | Image, target: Image, pixel: number): number {
  // An image's values are bytes, a picture's run from 0 to 1 and beyond.
  const unit = data instanceof Float32Array ? 1 : 255;
  let sum = 0;
  for (let i = 4 * pixel; i < 4 * pixel + 3; i++) {
    sum += Math.abs(Math.min(Math.max(data[i] / unit, 0), 1) - target.data[i] / 255);
  }
  return sum / 3;
}

/** Each pixel's error. */
export function pixelErrors(render: FloatImage | Image, target: Image): Float32Array {
  const errors = new Float32Array(render.data.length / 4);
  for (let pixel = 0; pixel < errors.length; pixel++) errors[pixel] = errorAt(render, target, pixel);
  return errors;
}

/**
 * Each pixel's error as a colour of a ramp, which ends at `largest`.
 * @param ramp the bytes of a colour ramp
 */
export function errorMap(
  render: FloatImage | Image,
  target: Image,
  ramp: Uint8ClampedArray,
  largest = largestError,
): Image {
  const errors = pixelErrors(render, target);
  const data = new Uint8ClampedArray(4 * errors.length);
  for (let pixel = 0; pixel < errors.length; pixel++) {
    const color = rampOffset(errors[pixel] / largest);
    for (let channel = 0; channel < 4; channel++) data[4 * pixel + channel] = ramp[color + channel];
  }
  return { width: render.width, height: render.height, data };
}
