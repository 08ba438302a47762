// The model of the chapter sorting.md: what the kernel's CPU reference does, as tables. The charts are in the page.
import type { Comparator, Pass } from "../engine/model/shortList.js";
import { bitonicPasses, bitonicSort, padBuffer, sentinel } from "../engine/model/shortList.js";

export { sortingExercise } from "../components/learn/exercises/sorting.js";

/** Returns the pattern of a text field for some numbers below 100. */
export function numberPattern(least: number, most: number): string {
  return `\\D*(\\d{1,2}\\D+){${least - 1},${most - 1}}\\d{1,2}\\D*`;
}

/** Returns the numbers in a text. */
export function readNumbers(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/**
 * Sorts numbers, padded with sentinels to a power of two, by all passes or those that `keeps` selects. Returns tables: of the
 * passes, counted from 1; of their comparators (`pairs`), with the place `to` that gets the greater number; and of each
 * place after each step (`numbers`), where a sentinel has the text ∞ and is one more than the greatest number.
 */
export function recordSort(input: readonly number[], keeps: (pass: Pass) => boolean = () => true) {
  const places = 2 ** Math.ceil(Math.log2(input.length));
  const blobs = new Uint32Array(places);
  blobs.set(input);
  const list = padBuffer({ blobs, blobCount: input.length });
  const lists = [blobs.slice()];
  const pairs: (Comparator & { step: number; from: number; to: number })[] = [];
  const passes = [...bitonicPasses(places)].filter(keeps).map((pass, index) => {
    const step = index + 1;
    bitonicSort(list, [pass], (comparator) => {
      const { i, l, ascending } = comparator;
      pairs.push({ ...comparator, step, from: ascending ? i : l, to: ascending ? l : i });
    });
    lists.push(blobs.slice());
    return { ...pass, step, swaps: pairs.filter((pair) => pair.step === step && pair.swapped).length };
  });
  const numbers = lists.flatMap((list, step) =>
    Array.from(list, (number, place) => {
      const isMoved = number !== lists[Math.max(step - 1, 0)][place];
      const text = number === sentinel ? "∞" : String(number);
      return { step, place, number: Math.min(number, Math.max(...input) + 1), text, isMoved };
    }),
  );
  const isSorted = blobs.every((number, place) => place === 0 || blobs[place - 1] <= number);
  return { places, passes, pairs, numbers, isSorted };
}

/** Returns a sentence on a step of a sort. */
export function describePass({ places, passes, isSorted }: ReturnType<typeof recordSort>, step: number): string {
  if (step === 0) return `The input: ${places} places.`;
  const { k, j, swaps } = passes[step - 1];
  const total = passes.slice(0, step).reduce((sum, pass) => sum + pass.swaps, 0);
  const end = step < passes.length ? "" : isSorted ? " Sorted." : " Not sorted.";
  return `Pass ${step} of ${passes.length}: k = ${k}, j = ${j}; ${swaps} of ${places / 2} pairs swap, ${total} so far.${end}`;
}
