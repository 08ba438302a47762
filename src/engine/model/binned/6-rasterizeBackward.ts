import { clampGradient, largestGradientOf } from "../accumulate.js";
import { attenuationOf, lowestTransmittance } from "../blend.js";
import { decodeAll, highestAlpha } from "../blob.js";
import { type BinnedJob, falloffAt, pixelsOf, type Rasterized, type Slot, type Slotted } from "./lists.js";
import { rawGradient } from "./slots.js";

/** Twin of shaders/binned/rasterizeBackward.wgsl: what each pair of a tile and a blob adds to the blob's gradient. */
export function rasterizeBackward(job: BinnedJob, { leftBy: _, ...given }: Rasterized): Slotted {
  const { segments, segmentStates, pixels, list, pairs, pixelBlobs } = given;
  const attenuation = attenuationOf(job.model.blend);
  const ceiling = job.model.blend === "over" ? highestAlpha : Number.POSITIVE_INFINITY;
  const decoded = decodeAll(given.parameters, job.model);
  const largest = largestGradientOf("smoothstep");
  const clamped = (gradient: number[]) => gradient.map((value) => clampGradient(value, largest));
  const slots = Array.from(pairs, (): Slot => [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  for (const [s, { tile, first, count }] of segments.entries()) {
    const places = pixelsOf(job, tile);
    for (const [p, { x, y }] of places.entries()) {
      const [dRed, dGreen, dBlue, along] = pixels[tile * places.length + p];
      const [red, green, blue, light] = segmentStates[s].states[p];
      let transmittance = light;
      // What is still to come of dL/dC · C + dL/dT T: with it dL/dα needs no blob but this one.
      let rest = along - (dRed * red + dGreen * green + dBlue * blue);
      for (let k = first; k < first + count && transmittance >= lowestTransmittance; k++) {
        const { pair } = list[k];
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
        const added = job.clamped ? clamped(rawGradient(job, decoded[list[k].blob], moment)) : moment;
        for (const [v, part] of added.entries()) slots[pair][v] += part;
        transmittance *= 1 - attenuation * alpha;
      }
    }
  }
  return { ...given, slots };
}
