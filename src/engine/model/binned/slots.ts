import { type Blob, valueNames } from "../blob.js";
import { gradientOfMoments } from "../support.js";
import type { BinnedJob, Slot } from "./lists.js";

/**
 * Returns the gradients of a blob's nine raw parameters from sums over its pixels. CPU reference of rawGradient in
 * shaders/binned/slots.wgsl.
 */
export function rawGradient({ target }: BinnedJob, blob: Blob, slot: Slot): number[] {
  const perPixelX = blob.perDeviationX / target.width;
  const perPixelY = blob.perDeviationY / target.height;
  const [sum, x, y, xx, xy, yy, red, green, blue] = slot;
  const moments = {
    sum,
    x: x * perPixelX,
    y: y * perPixelY,
    xx: xx * perPixelX * perPixelX,
    xy: xy * perPixelX * perPixelY,
    yy: yy * perPixelY * perPixelY,
  };
  const d = { ...gradientOfMoments(blob, moments), red, green, blue };
  return valueNames.map((name) => d[name]! * blob.slope[name]);
}
