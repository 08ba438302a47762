import type { TrainConfig } from "../config.js";
import { type ParameterGroup, parameterCount, parameterGroups } from "./blobs.js";

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

/** Returns the factor of the learning rates at step t, counted from 1, of a schedule that ends at step `horizon`. */
export function scheduleAtStep(config: TrainConfig, t: number, horizon = config.steps): number {
  const { schedule, finalRate } = config;
  const progress = Math.min(1, (t - 1) / Math.max(1, horizon - 1));
  if (schedule === "constant") return 1;
  if (schedule === "exponential") return finalRate ** progress;
  // JavaScript engines differ in the last digit of a cosine. Float32 hides it in a square, unlike in 1 + cos.
  return finalRate + (1 - finalRate) * Math.cos(0.5 * Math.PI * progress) ** 2;
}

/** Returns Adam's η of each raw parameter at step t, counted from 1. */
export function ratesAt(config: TrainConfig, t: number, horizon = config.steps): Float64Array {
  const factor = scheduleAtStep(config, t, horizon);
  return baseRates(config).map((rate) => rate * factor);
}
