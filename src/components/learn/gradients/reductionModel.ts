import { clampGradient, treeReduce } from "../../../engine/cpu/accumulate.js";

/** A round of the tree: thread i < threads adds what thread i + stride has. */
export interface ReductionRound {
  stride: number;
  threads: number;
  /** What the workgroup's memory holds after it. */
  values: Float32Array;
}

/** A workgroup's reduction, round by round. */
export interface Reduction {
  /** A value a thread, before the clamp and behind it. */
  given: Float32Array;
  largest: number;
  clamped: Float32Array;
  /** How many the clamp changed. */
  changed: number;
  rounds: ReductionRound[];
  sum: number;
  /** Of the clamped values, in float64. */
  exact: number;
  additions: number;
}

/** What treeReduce does with values, all of it, in float32. */
export function reduction(given: Float32Array, largest: number): Reduction {
  const clamped = given.map((value) => clampGradient(value, Math.fround(largest)));
  const rounds: ReductionRound[] = [];
  const memory = clamped.slice();
  const sum = treeReduce(memory, (stride) => {
    const threads = Math.min(stride, memory.length - stride);
    rounds.push({ stride, threads, values: memory.slice() });
  });
  return {
    given,
    largest,
    clamped,
    changed: clamped.filter((value, i) => value !== given[i]).length,
    rounds,
    sum,
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
