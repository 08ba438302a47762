import { standsFor } from "../../figures/pointed.js";
import { element } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import { mergeCuts } from "./mergeModel.js";
import { numberText } from "./numbers.js";
import {
  arrangementAt,
  atWork,
  type Moment,
  momentOf,
  networkCost,
  type SortRecord,
  type StepBy,
  serialComparisons,
  stepCount,
  swapsOf,
  swapsUntil,
} from "./sortModel.js";

/** What a pass of the whole network did. */
export function networkWords({ n, passes, comparators }: SortRecord, passesDone: number): string {
  if (passesDone === 0) return "The numbers enter on the left.";
  const { k, j } = passes[passesDone - 1];
  const swaps = swapsOf(comparators[passesDone - 1]);
  const all = count(swapsOf(comparators.flat()));
  const end = passesDone === passes.length ? ` The list is sorted, after ${all} swaps in all.` : "";
  return `Pass ${passesDone} of ${passes.length} (k = ${k}, j = ${j}): ${swaps} of ${n / 2} comparators swap.${end}`;
}

/** What a pass of a merge did. */
export function mergeWords(record: SortRecord, passesDone: number): string {
  const { n, passes, comparators } = record;
  if (passesDone === 0) return `A bitonic list of ${n}: one block.`;
  const swaps = counted(swapsOf(comparators[passesDone - 1]), "swap");
  const cuts = mergeCuts(record, passesDone).map((cut) => `${cut.greatestBelow} ≤ ${cut.leastAbove}`);
  const where = `Pass ${passesDone} of ${passes.length} (j = ${passes[passesDone - 1].j}): ${swaps}.`;
  const end = passesDone === passes.length ? " Sorted." : "";
  return `${where} The greatest of each left half against the least of its right half: ${cuts.join(", ")}.${end}`;
}

/** What a step of a sort did. */
export function sortWords(record: SortRecord, by: StepBy, step: number): string {
  const { given, n, passes, comparators } = record;
  if (step === 0) {
    const pad = n > given ? `, then ${counted(n - given, "sentinel")} up to ${n} places` : "";
    return `The input: ${counted(given, "number")}${pad}.`;
  }
  const now = momentOf(record, by, step);
  const { k, j } = passes[now.pass];
  const where = `Pass ${now.pass + 1} of ${passes.length} (k = ${k}, j = ${j})`;
  const end = step === stepCount(record, by) - 1 ? " The list is sorted." : "";
  if (by === "pass")
    return `${where}: ${counted(n / 2, "pair")} compared, ${swapsOf(comparators[now.pass])} swapped.${end}`;
  if (now.atBarrier) return `${where}: the barrier. No thread continues before all have reached it.${end}`;
  const { i, l, ascending, swapped } = comparators[now.pass][now.done - 1];
  const { numbers } = arrangementAt(record, { ...now, done: now.done - 1 });
  const held = `places ${i} and ${l} hold ${numberText(numbers[i])} and ${numberText(numbers[l])}`;
  const wanted = `the order is ${ascending ? "ascending" : "descending"}: ${swapped ? "swapped" : "not swapped"}`;
  return `${where}, comparator ${now.done} of ${n / 2}: ${held}, ${wanted}.`;
}

/** What the blocks of a size k are to the next one. */
export function directionWords(n: number, k: number): string {
  if (k === n)
    return `No place below ${n} has the digit worth ${n}, so the last block size sorts the whole list upwards.`;
  const twice = n / k / 2;
  const rise = twice === 1 ? "rises and then falls" : "rise and then fall";
  return `${counted(n / k, "block")} of ${k} places, alternately upwards and downwards. Two neighbours make ${counted(twice, "block")} of ${2 * k} that ${rise}: what the next block size merges.`;
}

/** What stands beside a step of a sort. */
export function sortFacts(record: SortRecord, moment: Moment): Record<string, string | Node> {
  const { given, n, passes, arrangements } = record;
  const { passes: all, comparators } = networkCost(n);
  const { k, j } = passes[moment.pass];
  const isBefore = moment.step === 0;
  const fact = (words: number, ...things: string[]) =>
    standsFor(element("span", {}, isBefore ? "–" : count(words)), ...things);
  return {
    pass: standsFor(element("span", {}, `${isBefore ? "–" : moment.pass + 1} of ${all}`), `pass:${moment.pass}`),
    "block size k": fact(k, "code:sort.direction"),
    "distance j": fact(j, "code:sort.partner"),
    "swaps so far": fact(swapsUntil(record, moment), "code:sort.swap", "code:sort.swapBack"),
    "comparators in all": `${all} × ${count(n / 2)} = ${count(comparators)}`,
    "your browser’s sort": count(serialComparisons(arrangements[0].numbers.subarray(0, given))),
    "n log₂ n": count(Math.round(given * Math.log2(given))),
  };
}

/** The lines of code that are at work in a step. */
export function linesAtWork(record: SortRecord, moment: Moment): string[] {
  if (moment.step === 0) return [];
  if (moment.by === "pass") return ["code:sort.pass", "code:sort.barrier"];
  if (moment.atBarrier) return ["code:sort.barrier"];
  const [{ swapped }] = atWork(record, moment);
  return swapped ? ["code:sort.compare", "code:sort.swap", "code:sort.swapBack"] : ["code:sort.compare"];
}
