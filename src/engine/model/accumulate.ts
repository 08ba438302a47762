import type { Parameterization } from "./blobs.js";

/** A pixel's gradient of a parameter is clamped to ± this: ten, as in the seeds; not where parameters have units. */
export function largestGradientOf(parameterization: Parameterization): number {
  return parameterization === "smoothstep" ? 10 : Number.POSITIVE_INFINITY;
}

/** The clamp before the reduction. Twin of shaders/shared/accumulate.wgsl. */
export function clampGradient(gradient: number, largest: number): number {
  return Math.min(Math.max(gradient, -largest), largest);
}

/**
 * The tree reduction of a workgroup, in place, for any length; the sum ends in element 0.
 * @param afterRound hears the stride of each round once all of its threads have added
 */
export function treeReduce(values: Float32Array | Float64Array, afterRound?: (stride: number) => void): number {
  for (let stride = firstStride(values.length); stride > 0; stride >>= 1) {
    for (let i = 0; i < stride && i + stride < values.length; i++) values[i] += values[i + stride];
    afterRound?.(stride);
  }
  return values[0];
}

/** Half the smallest power of two that holds n threads. */
function firstStride(n: number): number {
  return n < 2 ? 0 : 2 ** (Math.ceil(Math.log2(n)) - 1);
}
