import { bitonicPasses, bitonicSort, type Comparator, type Pass, padBuffer } from "../../../engine/model/shortList.js";

/** A list and each of its places' origin: the place where its number stood at first. */
export interface Arrangement {
  numbers: Uint32Array;
  origins: Uint32Array;
}

/** All that a bitonic sort does with a list. */
export type SortRecord = ReturnType<typeof recordSort>;

/** What a stepper goes through: whole passes, or each comparator and each barrier. The first step is the list as given. */
export type StepBy = "pass" | "comparator";

/** How much of a sort is done. */
export type SortProgress = ReturnType<typeof progressAt>;

/** The numbers with sentinels behind them up to so many places, as padBuffer leaves a short-list. */
export function padNumbers(numbers: Uint32Array, places = 2 ** Math.ceil(Math.log2(numbers.length))): Uint32Array {
  const blobs = new Uint32Array(places);
  blobs.set(numbers);
  padBuffer({ blobs, blobCount: numbers.length });
  return blobs;
}

/**
 * Pads and sorts numbers, and keeps what the engine's twin of the kernel does.
 * @param options.places a power of two; the next one if absent
 * @param options.network of which passes; all those of the padded list if absent
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
  /** Of each pass, in the order of their first places. */
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

/** The list at a moment. */
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

/** Swaps that are done at a moment. */
export function swapsSoFar({ comparators }: SortRecord, { pass, done }: PassProgress): number {
  return countSwaps([...comparators.slice(0, pass).flat(), ...comparators[pass].slice(0, done)]);
}

/** How many of these comparators swapped. */
export function countSwaps(comparators: readonly Comparator[]): number {
  return comparators.filter(({ swapped }) => swapped).length;
}

/** The comparators that a moment's step has done: those of its pass, or the one; none at a barrier. */
export function activeComparators(
  { comparators }: SortRecord,
  { by, pass, done, atBarrier }: SortProgress,
): Comparator[] {
  if (by === "pass") return comparators[pass].slice(0, done);
  return atBarrier || done === 0 ? [] : [comparators[pass][done - 1]];
}

/** Steps of a pass: one, or one for each comparator and one for the barrier. */
function stepsPerPass({ n }: Pick<SortRecord, "n">, by: StepBy): number {
  return by === "pass" ? 1 : n / 2 + 1;
}

/** Steps of a sort, the list as given among them. */
export function stepCount(record: SortRecord, by: StepBy): number {
  return 1 + record.passes.length * stepsPerPass(record, by);
}

/**
 * The moment after a step, which is counted from 0, before anything is done: the pass at work, how many of its comparators
 * are done, and whether its threads are at the barrier behind it.
 */
export function progressAt(record: Pick<SortRecord, "n">, by: StepBy, step: number) {
  const perPass = stepsPerPass(record, by);
  const atBarrier = step > 0 && step % perPass === 0;
  const pass = Math.floor(Math.max(step - 1, 0) / perPass);
  return { by, step, pass, done: atBarrier ? record.n / 2 : step % perPass, atBarrier };
}

/** The step that ends with the barrier behind a pass. */
export function stepOfPass(record: SortRecord, by: StepBy, pass: number): number {
  return (pass + 1) * stepsPerPass(record, by);
}

/** The thread that does a comparator: its strided loop comes by the pair's first place. */
export function threadOf({ i }: Pick<Comparator, "i">, threads: number): number {
  return i % threads;
}

/** Passes and comparators of the network for n places, a power of two, and the turns that each of its threads makes. */
export function networkCost(n: number, threads = n): { passes: number; comparators: number; turns: number } {
  const passes = [...bitonicPasses(n)].length;
  return { passes, comparators: (passes * n) / 2, turns: passes * Math.ceil(n / threads) };
}

/** Comparisons that this machine's own sort makes of the same numbers, one after the other. */
export function serialComparisons(numbers: Uint32Array): number {
  let comparisons = 0;
  Array.from(numbers).sort((a, b) => {
    comparisons++;
    return a - b;
  });
  return comparisons;
}
