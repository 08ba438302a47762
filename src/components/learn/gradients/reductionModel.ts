import { clampGradient, treeReduce } from "../../../engine/model/accumulate.js";

/** A workgroup's reduction, round by round. */
export type Reduction = ReturnType<typeof reduction>;

/**
 * What treeReduce does with values, all of it, in float32.
 * @param gradients a value a thread, before the clamp
 */
export function reduction(gradients: Float32Array, largest: number) {
  const clamped = gradients.map((value) => clampGradient(value, Math.fround(largest)));
  /** In each, thread i < threads adds what thread i + stride has; the workgroup's memory then holds `values`. */
  const rounds: { stride: number; threads: number; values: Float32Array }[] = [];
  const memory = clamped.slice();
  const sum = treeReduce(memory, (stride) => {
    const threads = Math.min(stride, memory.length - stride);
    rounds.push({ stride, threads, values: memory.slice() });
  });
  return {
    gradients,
    largest,
    clamped,
    clampedCount: clamped.filter((value, i) => value !== gradients[i]).length,
    rounds,
    sum,
    /** Of the clamped values, in float64. */
    exact: exactSum(clamped),
    additions: rounds.reduce((count, { threads }) => count + threads, 0),
  };
}

/** The sum of float32 values in float64, which has 29 digits of the binary system more. */
export function exactSum(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
