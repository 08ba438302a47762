import type { Image, Picture } from "../engine/image.js";
import { rampOffset } from "./rampOffset.js";

/** The error that has the ramp's last colour; larger ones have it too. */
export const largestError = 0.5;

/**
 * Each pixel's error, the mean of |render − target| over red, green and blue, as a colour of a ramp.
 * @param ramp the bytes of a colour ramp
 */
export function errorMap(picture: Picture, target: Image, ramp: Uint8ClampedArray): Image {
  const data = new Uint8ClampedArray(picture.data.length);
  for (let pixel = 0; pixel < data.length; pixel += 4) {
    let sum = 0;
    for (let i = pixel; i < pixel + 3; i++) {
      sum += Math.abs(Math.min(Math.max(picture.data[i], 0), 1) - target.data[i] / 255);
    }
    const color = rampOffset(sum / 3 / largestError);
    for (let channel = 0; channel < 4; channel++) data[pixel + channel] = ramp[color + channel];
  }
  return { width: picture.width, height: picture.height, data };
}
