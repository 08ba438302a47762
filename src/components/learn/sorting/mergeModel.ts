import { recordSort, type SortRecord } from "./sortModel.js";

/** Whether a list, read around as a ring, rises at most once and falls at most once. */
export function isBitonic(list: ArrayLike<number>): boolean {
  const signs = Array.from(list, (number, index) => Math.sign(list[(index + 1) % list.length] - number));
  const slopes = signs.filter((slope) => slope !== 0);
  return slopes.filter((slope, place) => slope !== slopes[(place + 1) % slopes.length]).length <= 2;
}

/**
 * Merges a bitonic list with the last passes of the network, with the whole list as their block.
 * @throws RangeError if the list is not bitonic or its length is not a power of two
 */
export function recordMerge(list: Uint32Array): SortRecord {
  const n = list.length;
  if (!Number.isInteger(Math.log2(n))) {
    throw new RangeError(`The merge takes 2, 4, 8 or 16 numbers, but these are ${n}.`);
  }
  if (!isBitonic(list)) {
    throw new RangeError(
      "These numbers rise or fall more than once, even read around as a ring, so they are not bitonic.",
    );
  }
  return recordSort(list, { network: ({ k }) => k === n });
}

/** Returns the blocks of the list after some passes: one, then two, then four. */
export function mergeBlocks({ n, arrangements }: SortRecord, passesDone: number) {
  const { numbers } = arrangements[passesDone];
  const length = n / 2 ** passesDone;
  return Array.from({ length: n / length }, (_, block) => {
    const [first, end] = [block * length, (block + 1) * length];
    return { first, end, isBitonic: isBitonic(numbers.subarray(first, end)) };
  });
}

/** Returns the two halves of each block that the latest pass has cut, with the numbers next to the cut. */
export function mergeCuts(record: SortRecord, passesDone: number) {
  if (passesDone === 0) return [];
  const { numbers } = record.arrangements[passesDone];
  return mergeBlocks(record, passesDone - 1).map(({ first, end }) => {
    const middle = (first + end) / 2;
    const greatestBelow = Math.max(...numbers.subarray(first, middle));
    return { first, middle, end, greatestBelow, leastAbove: Math.min(...numbers.subarray(middle, end)) };
  });
}
