/** A pixel's gradient of a parameter is clamped to ± this. */
export const largestGradient = 10;

/** The clamp before the reduction. Twin of shaders/shared/accumulate.wgsl. */
export function clampGradient(gradient: number): number {
  return Math.min(Math.max(gradient, -largestGradient), largestGradient);
}

/** The tree reduction of a workgroup, in place, for any length; the sum ends in element 0. */
export function treeReduce(values: Float32Array | Float64Array): number {
  for (let stride = firstStride(values.length); stride > 0; stride >>= 1) {
    for (let i = 0; i < stride && i + stride < values.length; i++) values[i] += values[i + stride];
  }
  return values[0];
}

/** Half the smallest power of two that holds n threads. */
export function firstStride(n: number): number {
  return n < 2 ? 0 : 2 ** (Math.ceil(Math.log2(n)) - 1);
}
