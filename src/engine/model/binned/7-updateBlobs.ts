import * as adam from "../adam.js";
import { decode } from "../blob.js";
import type { BinnedJob, Slot, Slotted, Updated } from "./lists.js";
import { rawGradient } from "./slots.js";

/**
 * Sums the slots of each blob, and takes Adam's step. CPU reference of shaders/binned/updateBlobs.wgsl.
 * @param above the gradients of the bands above, if this is the last one of several
 */
export function updateBlobs(job: BinnedJob, { leftBy: _, ...input }: Slotted, above?: Float32Array): Updated {
  const { pixelBlobs, slots } = input;
  const blobs = pixelBlobs.length;
  const gradients = above?.slice() ?? new Float32Array(input.parameters.length);
  if (input.status.overflowed) return { ...input, gradients };
  for (const [i, { first, around }] of pixelBlobs.entries()) {
    const ownSlots = slots.slice(first, first + around.across * around.down);
    const total = Array.from({ length: 9 }, (_, v) => ownSlots.reduce((sum, slot) => sum + slot[v], 0)) as Slot;
    const gradient = job.clamped ? total : rawGradient(job, decode(input.parameters, i, job.model), total);
    for (const [field, value] of gradient.entries()) gradients[field * blobs + i] += value;
  }
  const parameters = input.parameters.slice();
  const firstMoments = input.firstMoments.slice();
  const secondMoments = input.secondMoments.slice();
  adam.updateBlobs(parameters, firstMoments, secondMoments, gradients, job.rates, job.corrections);
  return { ...input, parameters, firstMoments, secondMoments, gradients };
}
