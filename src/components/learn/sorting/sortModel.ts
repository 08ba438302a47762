import { bitonicPasses, bitonicSort, type Comparator, type Pass, padBuffer } from "../../../engine/model/shortList.js";

/** A list, and for each place the original place of its number. */
export interface Arrangement {
  numbers: Uint32Array;
  origins: Uint32Array;
}

/** A bitonic sort, pass by pass. */
export type SortRecord = ReturnType<typeof recordSort>;

/** The steps of a sort: whole passes, or each comparator and each barrier. Step 0 is the input. */
export type StepBy = "pass" | "comparator";

/** The state of a sort after a step. */
export type SortProgress = ReturnType<typeof progressAt>;

/** Returns the numbers padded with sentinels, as padBuffer pads a tile list. */
export function padNumbers(numbers: Uint32Array, places = 2 ** Math.ceil(Math.log2(numbers.length))): Uint32Array {
  const blobs = new Uint32Array(places);
  blobs.set(numbers);
  padBuffer({ blobs, blobCount: numbers.length });
  return blobs;
}

/**
 * Pads and sorts numbers with the CPU reference of the kernel, and records every pass.
 * @param options.places a power of two; by default the next one
 * @param options.network the passes to make; by default all
 */
export function recordSort(
  numbers: Uint32Array,
  { places, network }: { places?: number; network?(pass: Pass): boolean } = {},
) {
  const list = padNumbers(numbers, places);
  const n = list.length;
  const passes = [...bitonicPasses(n)].filter(network ?? (() => true));
  const origins = Uint32Array.from(list, (_, position) => position);
  /** Before each pass, and at the end. */
  const arrangements: Arrangement[] = [{ numbers: list.slice(), origins: origins.slice() }];
  /** By pass, in the order of their first places. */
  const comparators = passes.map((pass) => {
    const done: Comparator[] = [];
    bitonicSort({ blobs: list, blobCount: n }, [pass], (comparator) => {
      done.push(comparator);
      swapIf(origins, comparator);
    });
    arrangements.push({ numbers: list.slice(), origins: origins.slice() });
    return done;
  });
  return { inputLength: numbers.length, n, passes, comparators, arrangements };
}

type PassProgress = Pick<SortProgress, "pass" | "done">;

/** Returns the list at a point of the sort. */
export function arrangementAt({ comparators, arrangements }: SortRecord, { pass, done }: PassProgress): Arrangement {
  const numbers = arrangements[pass].numbers.slice();
  const origins = arrangements[pass].origins.slice();
  for (const comparator of comparators[pass].slice(0, done)) {
    swapIf(numbers, comparator);
    swapIf(origins, comparator);
  }
  return { numbers, origins };
}

function swapIf(list: Uint32Array, { i, l, swapped }: Comparator): void {
  if (swapped) [list[i], list[l]] = [list[l], list[i]];
}

/** Returns the number of swaps up to a point of the sort. */
export function swapsSoFar({ comparators }: SortRecord, { pass, done }: PassProgress): number {
  return countSwaps([...comparators.slice(0, pass).flat(), ...comparators[pass].slice(0, done)]);
}

/** Returns the number of comparators that swapped. */
export function countSwaps(comparators: readonly Comparator[]): number {
  return comparators.filter(({ swapped }) => swapped).length;
}

/** Returns the comparators of a step: those of its pass, or one; none at a barrier. */
export function activeComparators(
  { comparators }: SortRecord,
  { by, pass, done, atBarrier }: SortProgress,
): Comparator[] {
  if (by === "pass") return comparators[pass].slice(0, done);
  return atBarrier || done === 0 ? [] : [comparators[pass][done - 1]];
}

/** Returns the number of steps of a pass: one, or one for each comparator and one for the barrier. */
function stepsPerPass({ n }: Pick<SortRecord, "n">, by: StepBy): number {
  return by === "pass" ? 1 : n / 2 + 1;
}

/** Returns the number of steps of a sort, including step 0. */
export function stepCount(record: SortRecord, by: StepBy): number {
  return 1 + record.passes.length * stepsPerPass(record, by);
}

/**
 * Returns the state after a step: the current pass, how many of its comparators are done, and whether its threads are at
 * the barrier at its end. Step 0 is the input.
 */
export function progressAt(record: Pick<SortRecord, "n">, by: StepBy, step: number) {
  const perPass = stepsPerPass(record, by);
  const atBarrier = step > 0 && step % perPass === 0;
  const pass = Math.floor(Math.max(step - 1, 0) / perPass);
  return { by, step, pass, done: atBarrier ? record.n / 2 : step % perPass, atBarrier };
}

/** Returns the step at the end of a pass. */
export function stepOfPass(record: SortRecord, by: StepBy, pass: number): number {
  return (pass + 1) * stepsPerPass(record, by);
}

/** Returns the thread of a comparator: the one that strides over its first place. */
export function threadOf({ i }: Pick<Comparator, "i">, threads: number): number {
  return i % threads;
}

/** Returns the passes and comparators of the network for n places, a power of two, and the iterations per thread. */
export function networkCost(n: number, threads = n): { passes: number; comparators: number; iterations: number } {
  const passes = [...bitonicPasses(n)].length;
  return { passes, comparators: (passes * n) / 2, iterations: passes * Math.ceil(n / threads) };
}

/** Returns the number of comparisons that the JavaScript engine's own sort makes. */
export function serialComparisons(numbers: Uint32Array): number {
  let comparisons = 0;
  Array.from(numbers).sort((a, b) => {
    comparisons++;
    return a - b;
  });
  return comparisons;
}
