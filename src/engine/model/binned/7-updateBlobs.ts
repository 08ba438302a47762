import * as adam from "../adam.js";
import { decode, valueNames } from "../blob.js";
import { gradientOfMoments } from "../support.js";
import type { BinnedJob, Slotted, Updated } from "./lists.js";

/**
 * Twin of shaders/binned/7-updateBlobs.wgsl: adds up the slots of each blob, and takes Adam's step.
 * @param above the gradients of the bands above, if this is the last one of several
 */
export function updateBlobs(job: BinnedJob, { leftBy: _, ...given }: Slotted, above?: Float32Array): Updated {
  const { pixelBlobs, slots } = given;
  const { width, height } = job.target;
  const blobs = pixelBlobs.length;
  const gradients = above?.slice() ?? new Float32Array(given.parameters.length);
  for (const [i, { first, around }] of pixelBlobs.entries()) {
    const blob = decode(given.parameters, i, job.model);
    const perPixelX = blob.perDeviationX / width;
    const perPixelY = blob.perDeviationY / height;
    const own = slots.slice(first, first + around.across * around.down);
    const total = (v: number) => own.reduce((sum, slot) => sum + slot[v], 0);
    const moments = {
      sum: total(0),
      x: total(1) * perPixelX,
      y: total(2) * perPixelY,
      xx: total(3) * perPixelX * perPixelX,
      xy: total(4) * perPixelX * perPixelY,
      yy: total(5) * perPixelY * perPixelY,
    };
    const d = { ...gradientOfMoments(blob, moments), red: total(6), green: total(7), blue: total(8) };
    for (const [field, name] of valueNames.entries()) gradients[field * blobs + i] += d[name]! * blob.slope[name];
  }
  const parameters = given.parameters.slice();
  const firstMoments = given.firstMoments.slice();
  const secondMoments = given.secondMoments.slice();
  adam.updateBlobs(parameters, firstMoments, secondMoments, gradients, job.rates, job.corrections);
  return { ...given, parameters, firstMoments, secondMoments, gradients };
}
