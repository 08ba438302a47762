import { clampGradient, gradientLimitOf } from "../accumulate.js";
import { attenuationOf, lowestTransmittance } from "../blend.js";
import { decodeAll, highestAlpha } from "../blob.js";
import { type BinnedJob, falloffAt, pixelsOf, type Rasterized, type Slot, type Slotted } from "./lists.js";
import { rawGradient } from "./slots.js";

/** Returns what each tile–blob intersection adds to the blob's gradient. CPU reference of shaders/binned/rasterizeBackward.wgsl. */
export function rasterizeBackward(job: BinnedJob, { leftBy: _, ...input }: Rasterized): Slotted {
  const { segments, segmentStates, pixels, list, intersections, pixelBlobs } = input;
  const attenuation = attenuationOf(job.model.blend);
  const ceiling = job.model.blend === "over" ? highestAlpha : Number.POSITIVE_INFINITY;
  const decoded = decodeAll(input.parameters, job.model);
  const largest = gradientLimitOf("smoothstep");
  const clamped = (gradient: number[]) => gradient.map((value) => clampGradient(value, largest));
  const slots = Array.from(intersections, (): Slot => [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  for (const [s, { tile, first, count }] of segments.entries()) {
    const positions = pixelsOf(job, tile);
    for (const [p, { x, y }] of positions.entries()) {
      const [dRed, dGreen, dBlue, along] = pixels[tile * positions.length + p];
      const [red, green, blue, startTransmittance] = segmentStates[s].states[p];
      let transmittance = startTransmittance;
      // The contribution of the later blobs to dL/dC · C + dL/dT T; with it dL/dα depends on no other blob.
      let rest = along - (dRed * red + dGreen * green + dBlue * blue);
      for (let k = first; k < first + count && transmittance >= lowestTransmittance; k++) {
        const { intersection } = list[k];
        const { blob } = pixelBlobs[list[k].blob];
        const [dx, dy] = [x - blob.centerX, y - blob.centerY];
        const value = blob.opacity * falloffAt(blob, dx, dy);
        const alpha = Math.min(ceiling, value);
        const alongColor = dRed * blob.red + dGreen * blob.green + dBlue * blob.blue;
        const weight = alpha * transmittance;
        rest -= weight * alongColor;
        const dAlpha = transmittance * alongColor - (attenuation * rest) / (1 - attenuation * alpha);
        const dPower = value < ceiling ? dAlpha * alpha : 0;
        const moments = [1, dx, dy, dx * dx, dx * dy, dy * dy].map((moment) => dPower * moment);
        const moment = [...moments, weight * dRed, weight * dGreen, weight * dBlue] as Slot;
        const contribution = job.clamped ? clamped(rawGradient(job, decoded[list[k].blob], moment)) : moment;
        for (const [v, term] of contribution.entries()) slots[intersection][v] += term;
        transmittance *= 1 - attenuation * alpha;
      }
    }
  }
  return { ...input, slots };
}
