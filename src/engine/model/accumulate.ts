import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import type { Parameterization } from "./blobs.js";

/** Returns the bound of a pixel's gradient: 10 as in the original Slang sample, infinite if parameters have units. */
export function gradientLimitOf(parameterization: Parameterization): number {
  return parameterization === "smoothstep" ? 10 : Number.POSITIVE_INFINITY;
}

/**
 * Returns whether a single pixel's gradient of a raw parameter could exceed the clamp of ±10. With w = 2 / (W·H),
 * |dL/dα| is at most 6 w. With a support of 4σ, |ρ| ≤ 0.825 and slopes of at most 1.5, that bounds the gradients of
 * centres by 892 w / √covarianceScale and all others by 20,400 w.
 */
export function mayClamp(config: TrainConfig, { width, height }: Size): boolean {
  if (config.parameterization === "direct") return false;
  // In a sum the error of a pixel is unbounded.
  if (config.blend === "sum") return true;
  const weight = 2 / (width * height);
  return weight * Math.max(892 / Math.sqrt(config.covarianceScale), 20400) > 9.9;
}

/** The clamp before the reduction. CPU reference of shaders/shared/accumulate.wgsl. */
export function clampGradient(gradient: number, largest: number): number {
  return Math.min(Math.max(gradient, -largest), largest); //@ reduce.clamp
}

/**
 * Returns the sum of some values by the tree reduction of a workgroup, in place and for any length.
 * @param afterRound called with the stride of each round once all of its threads have added
 */
export function treeReduce(values: Float32Array | Float64Array, afterRound?: (stride: number) => void): number {
  //@ reduce.round
  for (let stride = firstStride(values.length); stride > 0; stride >>= 1) {
    for (let i = 0; i < stride && i + stride < values.length; i++) values[i] += values[i + stride]; //@ reduce.add
    afterRound?.(stride);
  }
  return values[0]; //@ reduce.result
}

/** Returns half the smallest power of two that is at least n. */
function firstStride(n: number): number {
  return n < 2 ? 0 : 2 ** (Math.ceil(Math.log2(n)) - 1);
}
