import type { Blend } from "../../config.js";
import type { ParameterGroup, Parameterization } from "../../model/blobs.js";

/**
 * The quantization steps of raw parameters in a file, by group: of centres in pixels, of the others in raw units.
 */
export type QuantizationSteps = Record<ParameterGroup, number>;

/**
 * Steps at which each group of raw parameters costs about the same. The total rounding error has a PSNR of at least 44 dB:
 * it reduces 26 dB of 600 blobs by 0.05 dB, and 34 dB of 2400 blobs by 0.2 dB. Steps in a sum are finer, since the errors
 * of all blobs show.
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

/** Coarser files show no recognizable image; finer ones exceed the precision of the parameters. */
export const [coarsestPrecision, finestPrecision] = [1 / 64, 64];

/**
 * Returns the quantization steps of a model.
 * @param precision how many times finer than the default
 */
export function quantizationSteps(
  { parameterization, blend }: { parameterization: Parameterization; blend: Blend },
  precision = 1,
): QuantizationSteps {
  const entries = Object.entries(steps[parameterization][blend]).map(([group, step]) => [
    group,
    // Three digits suffice, and keep the head of a file short.
    Number((step / precision).toPrecision(3)),
  ]);
  return Object.fromEntries(entries);
}
