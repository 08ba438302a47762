import type { TrainConfig } from "../config.js";
import { type ParameterGroup, parameterCount, parameterGroups } from "./blobs.js";

/** What of the learning rate is left at a share of the run, 0 at its first step and 1 at its last. */
export function scheduleAt({ schedule, finalRate }: Pick<TrainConfig, "schedule" | "finalRate">, progress: number) {
  if (schedule === "constant") return 1;
  if (schedule === "exponential") return finalRate ** progress;
  return finalRate + (1 - finalRate) * 0.5 * (1 + Math.cos(Math.PI * progress));
}

/** The config's field with each group's multiple of the learning rate. */
const multiples = {
  center: "centerRate",
  variance: "varianceRate",
  correlation: "correlationRate",
  color: "colorRate",
  opacity: "opacityRate",
} as const satisfies Record<ParameterGroup, keyof TrainConfig>;

/** Returns Adam's η of each raw parameter, in the order of the buffers, before the schedule. */
export function baseRates(config: TrainConfig): Float64Array {
  const rates = new Float64Array(parameterCount);
  for (const [group, fields] of Object.entries(parameterGroups)) {
    for (const field of fields) rates[field] = config.learningRate * config[multiples[group as ParameterGroup]];
  }
  return rates;
}

/** What the schedule leaves of the learning rates at step t, counted from 1, if it ends at step `horizon`. */
export function scheduleAtStep(config: TrainConfig, t: number, horizon = config.steps): number {
  return scheduleAt(config, Math.min(1, (t - 1) / Math.max(1, horizon - 1)));
}

/** Returns Adam's η of each raw parameter at step t, counted from 1. */
export function ratesAt(config: TrainConfig, t: number, horizon = config.steps): Float64Array {
  const factor = scheduleAtStep(config, t, horizon);
  return baseRates(config).map((rate) => rate * factor);
}
