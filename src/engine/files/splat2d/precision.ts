import type { Blend } from "../../config.js";
import type { ParameterGroup, Parameterization } from "../../model/blobs.js";

/**
 * The steps to which a file rounds raw parameters, by group. That of the centre is in pixels; the others are in raw
 * units.
 */
export type QuantizationSteps = Record<ParameterGroup, number>;

/**
 * Steps at which each raw parameter costs about as much. What they take away together lies at least 44 dB below the picture: it
 * costs 0.05 dB of one that 600 blobs learned to 26 dB, 0.2 dB of one that 2400 learned to 34 dB. A sum is finer, since
 * there the errors of the blobs behind show too.
 */
const steps: Record<Parameterization, Record<Blend, QuantizationSteps>> = {
  direct: {
    sum: { center: 1 / 16, variance: 1 / 32, correlation: 1 / 24, color: 1 / 128, opacity: 1 / 8 },
    over: { center: 1 / 8, variance: 1 / 24, correlation: 1 / 16, color: 1 / 48, opacity: 1 / 8 },
  },
  smoothstep: {
    sum: { center: 1 / 16, variance: 1 / 64, correlation: 1 / 32, color: 1 / 64, opacity: 1 / 64 },
    over: { center: 1 / 8, variance: 1 / 48, correlation: 1 / 24, color: 1 / 40, opacity: 1 / 48 },
  },
};

/** Beyond these a file is no picture any more, or finer than its numbers. */
export const [coarsestPrecision, finestPrecision] = [1 / 64, 64];

/**
 * The steps of a model's files.
 * @param precision how many times finer than the default; below 1 coarser
 */
export function quantizationSteps(
  { parameterization, blend }: { parameterization: Parameterization; blend: Blend },
  precision = 1,
): QuantizationSteps {
  const entries = Object.entries(steps[parameterization][blend]).map(([group, step]) => [
    group,
    // Three digits say it as well as seventeen, which a file's head would hold.
    Number((step / precision).toPrecision(3)),
  ]);
  return Object.fromEntries(entries);
}
