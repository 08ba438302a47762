import { clampGradient, treeReduce } from "../../../engine/model/accumulate.js";

/** The reduction of a workgroup, round by round. */
export type Reduction = ReturnType<typeof reduction>;

/**
 * Clamps gradients and reduces them with treeReduce, in float32, and records each round.
 * @param gradients a value per thread
 */
export function reduction(gradients: Float32Array, largest: number) {
  const clamped = gradients.map((value) => clampGradient(value, Math.fround(largest)));
  /** In a round, each thread i < threads adds the value of thread i + stride; workgroup memory then holds `values`. */
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
    /** The sum of the clamped values in float64. */
    exact: exactSum(clamped),
    additions: rounds.reduce((count, { threads }) => count + threads, 0),
  };
}

/** Returns the sum of float32 values in float64, which has 29 more binary digits. */
export function exactSum(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
