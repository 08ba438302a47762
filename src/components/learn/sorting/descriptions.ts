import { html } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { count, counted } from "../../page/format.js";
import { mergeCuts } from "./mergeModel.js";
import { numberText } from "./numbers.js";
import {
  activeComparators,
  arrangementAt,
  countSwaps,
  networkCost,
  progressAt,
  type SortProgress,
  type SortRecord,
  type StepBy,
  serialComparisons,
  stepCount,
  swapsSoFar,
} from "./sortModel.js";

/** Returns a sentence on a pass of the whole network. */
export function describeNetworkPass({ n, passes, comparators }: SortRecord, passesDone: number): string {
  if (passesDone === 0) return "The numbers enter on the left.";
  const { k, j } = passes[passesDone - 1];
  const swaps = countSwaps(comparators[passesDone - 1]);
  const all = count(countSwaps(comparators.flat()));
  const end = passesDone === passes.length ? ` The list is sorted, after ${all} swaps in all.` : "";
  return `Pass ${passesDone} of ${passes.length} (k = ${k}, j = ${j}): ${swaps} of ${n / 2} comparators swap.${end}`;
}

/** Returns a sentence on a pass of a merge. */
export function describeMergePass(record: SortRecord, passesDone: number): string {
  const { n, passes, comparators } = record;
  if (passesDone === 0) return `A bitonic list of ${n}: one block.`;
  const swaps = counted(countSwaps(comparators[passesDone - 1]), "swap");
  const cuts = mergeCuts(record, passesDone).map((cut) => `${cut.greatestBelow} ≤ ${cut.leastAbove}`);
  const passText = `Pass ${passesDone} of ${passes.length} (j = ${passes[passesDone - 1].j}): ${swaps}.`;
  const end = passesDone === passes.length ? " Sorted." : "";
  return `${passText} The greatest of each left half against the least of its right half: ${cuts.join(", ")}.${end}`;
}

/** Returns a sentence on a step of a sort. */
export function describeSortStep(record: SortRecord, by: StepBy, step: number): string {
  const { inputLength, n, passes, comparators } = record;
  if (step === 0) {
    const paddingText = n > inputLength ? `, then ${counted(n - inputLength, "sentinel")} up to ${n} places` : "";
    return `The input: ${counted(inputLength, "number")}${paddingText}.`;
  }
  const progress = progressAt(record, by, step);
  const { k, j } = passes[progress.pass];
  const passText = `Pass ${progress.pass + 1} of ${passes.length} (k = ${k}, j = ${j})`;
  const end = step === stepCount(record, by) - 1 ? " The list is sorted." : "";
  if (by === "pass")
    return `${passText}: ${counted(n / 2, "pair")} compared, ${countSwaps(comparators[progress.pass])} swapped.${end}`;
  if (progress.atBarrier) return `${passText}: the barrier. No thread continues before all have reached it.${end}`;
  const { i, l, ascending, swapped } = comparators[progress.pass][progress.done - 1];
  const { numbers } = arrangementAt(record, { ...progress, done: progress.done - 1 });
  const valuesText = `places ${i} and ${l} hold ${numberText(numbers[i])} and ${numberText(numbers[l])}`;
  const directionText = `the order is ${ascending ? "ascending" : "descending"}: ${swapped ? "swapped" : "not swapped"}`;
  return `${passText}, comparator ${progress.done} of ${n / 2}: ${valuesText}, ${directionText}.`;
}

/** Returns a sentence on the blocks of a size k and what the next block size makes of them. */
export function describeDirections(n: number, k: number): string {
  if (k === n)
    return `No place below ${n} has the digit worth ${n}, so the last block size sorts the whole list in ascending order.`;
  const twice = n / k / 2;
  const rise = twice === 1 ? "rises and then falls" : "rise and then fall";
  return `${counted(n / k, "block")} of ${k} places, alternately ascending and descending. Two neighbours make ${counted(twice, "block")} of ${2 * k} that ${rise}: what the next block size merges.`;
}

/** Returns the numbers of a step of a sort. */
export function sortFacts(record: SortRecord, progress: SortProgress): Record<string, string | Node> {
  const { inputLength, n, passes, arrangements } = record;
  const { passes: all, comparators } = networkCost(n);
  const { k, j } = passes[progress.pass];
  const isStart = progress.step === 0;
  const fact = (value: number, ...things: string[]) =>
    linkThings(html`<span>${isStart ? "–" : count(value)}</span>`, ...things);
  return {
    pass: linkThings(html`<span>${isStart ? "–" : progress.pass + 1} of ${all}</span>`, `pass:${progress.pass}`),
    "block size k": fact(k, "code:sort.direction"),
    "distance j": fact(j, "code:sort.partner"),
    "swaps so far": fact(swapsSoFar(record, progress), "code:sort.swap", "code:sort.swapBack"),
    "comparators in all": `${all} × ${count(n / 2)} = ${count(comparators)}`,
    "comparisons of your browser’s sort": count(serialComparisons(arrangements[0].numbers.subarray(0, inputLength))),
  };
}

/** Returns the active lines of code in a step. */
export function activeCodeLines(record: SortRecord, progress: SortProgress): string[] {
  if (progress.step === 0) return [];
  if (progress.by === "pass") return ["code:sort.pass", "code:sort.barrier"];
  if (progress.atBarrier) return ["code:sort.barrier"];
  const [{ swapped }] = activeComparators(record, progress);
  return swapped ? ["code:sort.compare", "code:sort.swap", "code:sort.swapBack"] : ["code:sort.compare"];
}
