import type { FloatImage, Image } from "../../engine/image/image.js";
import { rampOffset } from "./rampOffset.js";

/** Default error at the end of the colour ramp. Larger errors have the same colour. */
export const largestError = 0.1;

/** Returns a pixel's error: the mean of |render − target| over red, green and blue, each from 0 to 1. */
export function errorAt({ data }: FloatImage | Image, target: Image, pixel: number): number {
  // Values of an Image are bytes, those of a FloatImage are 0..1 and beyond.
  const unit = data instanceof Float32Array ? 1 : 255;
  let sum = 0;
  for (let i = 4 * pixel; i < 4 * pixel + 3; i++) {
    sum += Math.abs(Math.min(Math.max(data[i] / unit, 0), 1) - target.data[i] / 255);
  }
  return sum / 3;
}

/** Returns the error of each pixel. */
export function pixelErrors(render: FloatImage | Image, target: Image): Float32Array {
  const errors = new Float32Array(render.data.length / 4);
  for (let pixel = 0; pixel < errors.length; pixel++) errors[pixel] = errorAt(render, target, pixel);
  return errors;
}

/**
 * Returns an image of the pixel errors in the colours of a ramp that ends at `largest`.
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
