import { type FloatImage, type Image, toImage } from "../../engine/image/image.js";
import { psnr } from "../../engine/image/metrics.js";
import { errorMap } from "./errorMap.js";

/** A picture as it is shown beside its target. */
export type BesideTarget = ReturnType<typeof besideTarget>;

/**
 * Sets a picture against its target, of the same size.
 * @param ramp the bytes of a colour ramp, in which the error by pixel is drawn
 * @returns with the PSNR in decibels
 */
export function besideTarget(render: FloatImage, target: Image, ramp: Uint8ClampedArray) {
  return { image: toImage(render), error: errorMap(render, target, ramp), psnr: psnr(render, target) };
}
