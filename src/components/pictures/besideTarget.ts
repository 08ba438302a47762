import { type Image, type Picture, toImage } from "../../engine/image.js";
import { psnr } from "../../engine/metrics.js";
import { errorMap } from "./errorMap.js";

/** A picture as it is shown beside its target. */
export interface BesideTarget {
  image: Image;
  /** The error by pixel, in the colours of a ramp. */
  error: Image;
  psnr: number;
}

/**
 * Sets a picture against its target, of the same size.
 * @param ramp the bytes of a colour ramp
 */
export function besideTarget(picture: Picture, target: Image, ramp: Uint8ClampedArray): BesideTarget {
  return { image: toImage(picture), error: errorMap(picture, target, ramp), psnr: psnr(picture, target) };
}
