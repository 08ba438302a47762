import { parameterCount, stateOf } from "../../../engine/blobs.js";
import type { TrainConfig } from "../../../engine/config.js";
import { CpuPipeline } from "../../../engine/cpu/pipeline.js";
import type { Image } from "../../../engine/image.js";
import { type Compared, compareSlopes } from "./differences.js";

/** dL/draw of a whole picture by the twin's backward pass, in float64. */
export function oracleGradients(config: TrainConfig, image: Image, parameters: Float32Array): Float64Array {
  return Float64Array.from(oracle(config, image, parameters).evaluate().gradients);
}

/** The central difference of a whole picture's loss along one raw parameter, in float64: two forward passes. */
export function lossDifference(
  config: TrainConfig,
  image: Image,
  parameters: Float32Array,
  slot: number,
  h: number,
): number {
  const twin = oracle(config, image, parameters);
  const at = Float64Array.from(parameters);
  const lossAt = (value: number) => twin.evaluate(at.with(slot, value)).loss;
  const [before, after] = [at[slot] - h, at[slot] + h];
  return (lossAt(after) - lossAt(before)) / (after - before);
}

function oracle(config: TrainConfig, image: Image, parameters: Float32Array): CpuPipeline {
  return new CpuPipeline(config, image, stateOf(parameters), Float64Array);
}

/** Disagreement that is allowed: that of differences in float64, or that of a backward pass in float32. */
export const checkTolerances = { float64: 1e-4, float32: 2e-3 };

/**
 * Compares a slot's gradient with its difference. What is small beside the largest gradient that any blob has of that
 * parameter is compared on the scale of a thousandth of it.
 */
export function compareSlot(
  gradients: ArrayLike<number>,
  slot: number,
  difference: number,
  precision: keyof typeof checkTolerances,
): Compared {
  const blobs = gradients.length / parameterCount;
  const first = Math.floor(slot / blobs) * blobs;
  let largest = 0;
  for (let i = first; i < first + blobs; i++) largest = Math.max(largest, Math.abs(gradients[i]));
  // The second one only sets the scale.
  const [compared] = compareSlopes(
    [gradients[slot], largest],
    [difference, largest],
    [1, 1],
    checkTolerances[precision],
  );
  return compared;
}
