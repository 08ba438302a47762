import { type FloatImage, type Image, toImage } from "../../engine/image/image.js";
import { psnr } from "../../engine/image/metrics.js";
import { errorMap } from "./errorMap.js";

/** A render prepared for display next to its target. */
export type BesideTarget = ReturnType<typeof besideTarget>;

/**
 * Returns a render, its error map against a target of the same size, and its PSNR in decibels.
 * @param ramp the bytes of the colour ramp of the error map
 */
export function besideTarget(render: FloatImage, target: Image, ramp: Uint8ClampedArray) {
  return { image: toImage(render), error: errorMap(render, target, ramp), psnr: psnr(render, target) };
}
