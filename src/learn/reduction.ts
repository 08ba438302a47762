// The model of the chapter reduction.md: sums of gradients by threads, as tables. The charts are in the page.
import { withMinus } from "../components/page/numberText.js";
import { defaults } from "../engine/config.js";
import type { Gpu } from "../engine/gpu/device.js";
import { jobUniform } from "../engine/gpu/uniforms.js";
import { type BenchKernel, runKernel } from "../engine/gpu/workbench.js";
import { clampGradient, treeReduce } from "../engine/model/accumulate.js";

export { reductionExercise } from "../components/learn/exercises/reduction.js";
export { uniformGenerator } from "../engine/random.js";

/**
 * Clamps gradients, one per thread, and reduces them in float32. Returns tables: of the rounds, each with its stride and the
 * number of threads that add; of the number of each thread after each stage (0 is the gradients, 1 the clamp, then the
 * rounds), which is live as long as a later round or the result needs it; and of the numbers that were added (`links`).
 */
export function recordReduction(gradients: readonly number[], limit: number) {
  const memory = Float32Array.from(gradients, (gradient) => clampGradient(gradient, limit));
  const lists = [Float32Array.from(gradients), memory.slice()];
  const rounds: { stage: number; stride: number; adding: number }[] = [];
  const sum = treeReduce(memory, (stride) => {
    rounds.push({ stage: lists.length, stride, adding: Math.min(stride, memory.length - stride) });
    lists.push(memory.slice());
  });
  const numbers = lists.flatMap((list, stage) =>
    Array.from(list, (value, thread) => {
      const isChanged = stage > 0 && value !== lists[stage - 1][thread];
      return { stage, thread, value, isChanged, isLive: stage < 2 || thread < rounds[stage - 2].stride };
    }),
  );
  const links = rounds.flatMap(({ stage, stride, adding }) =>
    Array.from({ length: adding }, (_, to) => [to, to + stride].map((from) => ({ stage, from, to }))).flat(),
  );
  const clamped = gradients.filter((gradient) => Math.abs(gradient) > limit).length;
  return { rounds, numbers, links, limit, clamped, sum };
}

/** Returns a sentence on a stage of a reduction. */
export function describeStage(
  { rounds, numbers, limit, clamped, sum }: ReturnType<typeof recordReduction>,
  stage: number,
): string {
  if (stage === 0) return "Each thread has the gradient of its own pixel.";
  if (stage === 1)
    return `Each thread clamps its number to ±${limit}; ${clamped} ${clamped === 1 ? "exceeds" : "exceed"} it.`;
  const { stride, adding } = rounds[stage - 2];
  const who = adding === 1 ? "1 thread adds" : `${adding} threads add`;
  const { value } = numbers.find((row) => row.stage === stage && row.thread === 0)!;
  const end = stage > rounds.length ? ` That is the sum, ${short(sum)}.` : "";
  return `Round ${stage - 1} of ${rounds.length}: stride ${stride}, ${who}. Thread 0 has ${short(value)}.${end}`;
}

/** Chooses the thread that runs next, from those that are not done and the last one, which is −1 at the start. */
type Order = (waiting: readonly number[], last: number, random: () => number) => number;

export const orders: Record<string, Order> = {
  random: (waiting, _, random) => waiting[Math.floor(random() * waiting.length)],
  "in turn": (waiting, last) => waiting.find((thread) => thread > last) ?? waiting[0],
  "one after the other": ([first]) => first,
};

/**
 * Lets threads add their value to a float32 word, as atomicAccumulate in shaders/shared/accumulate.wgsl does, which has no CPU
 * reference. Returns the steps, counted from 1: a load, a swap or a swap that failed, with what the thread has seen and the
 * word after it.
 */
export function recordSwaps(values: readonly number[], order: Order, random: () => number) {
  const steps: { step: number; thread: number; action: "load" | "swap" | "fail"; seen: number; word: number }[] = [];
  const seen = new Map<number, number>();
  // A sum of zero is not added.
  const waiting = new Set([...values.keys()].filter((thread) => values[thread] !== 0));
  let word = 0;
  while (waiting.size > 0) {
    const thread = order([...waiting], steps.at(-1)?.thread ?? -1, random);
    const last = seen.get(thread);
    const action = last === undefined ? "load" : last === word ? "swap" : "fail";
    if (action === "swap") {
      word = Math.fround(word + Math.fround(values[thread]));
      waiting.delete(thread);
    }
    seen.set(thread, word);
    steps.push({ step: steps.length + 1, thread, action, seen: word, word });
  }
  return { values, steps };
}

/** Returns a sentence on a step of threads that add to a word. */
export function describeSwap({ values, steps }: ReturnType<typeof recordSwaps>, step: number): string {
  const total = `The expected sum is ${short(values.reduce((sum, value) => sum + value, 0))}.`;
  if (step === 0) return `The word holds 0. ${total}`;
  const { thread, action, word } = steps[step - 1];
  const failed = steps.slice(0, step).filter(({ action }) => action === "fail").length;
  const texts = {
    load: `loads ${short(word)}`,
    swap: `finds what it has seen, and swaps in ${short(word)}`,
    fail: `finds ${short(word)}, which it has not seen, and retries`,
  };
  return `Step ${step} of ${steps.length}: thread ${thread} ${texts[action]}. The word holds ${short(word)}; ${failed} failed ${failed === 1 ? "swap" : "swaps"}. ${total}`;
}

/** Returns a number with at most three digits. */
export function short(value: number): string {
  return withMinus(String(Number(value.toPrecision(3))));
}

/** Returns float32 sums of the same numbers, in the order of the numbers first, and then in random orders. */
export function sumInOrders(terms: Float32Array, runs: number, random: () => number): number[] {
  const order = terms.slice();
  return Array.from({ length: runs }, (_, run) => {
    for (let i = order.length - 1; i > 0 && run > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order.reduce((sum, term) => Math.fround(sum + term), 0);
  });
}

/**
 * Returns a row per sum of the same float32 numbers: its run, counted from 1, the number of different sums so far, and its
 * distance from the exact sum, in units in the last place.
 */
export function measureSums(terms: Float32Array, sums: readonly number[]) {
  const exact = terms.reduce((sum, term) => sum + term, 0);
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(exact))) - 23);
  const found = new Set<number>();
  return sums.map((sum, index) => ({
    run: index + 1,
    different: found.add(sum).size,
    units: (sum - exact) / unit,
  }));
}

/** Returns a kernel that sums the numbers of some tiles, one per thread, in each of `runs` runs. */
export function sumKernel(numbers: Float32Array, threads: number, runs: number): BenchKernel {
  return {
    file: "learn/sumGradients.wgsl",
    constants: { TILE_WIDTH: threads, TILE_HEIGHT: 1 },
    buffers: {
      job: jobUniform(defaults, { width: 1, height: 1 }),
      gradients: 4 * runs,
      pixelGradients: numbers,
    },
    workgroups: [numbers.length / threads, runs],
  };
}

/** Sums the numbers of some tiles on a GPU. The tiles of a run add to one word, in the order in which they arrive. */
export async function sumOnGpu(gpu: Gpu, numbers: Float32Array, threads: number, runs: number): Promise<number[]> {
  const { gradients } = await runKernel(gpu, sumKernel(numbers, threads, runs));
  return [...new Float32Array(gradients, 0, runs)];
}
