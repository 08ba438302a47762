import { bitonicPasses, bitonicSort, type Comparator } from "../../../engine/model/shortList.js";

/** Returns the lane of a comparator in its pass: the j comparators of a block of 2j places cross, others do not. */
export function laneOf({ i, j }: Pick<Comparator, "i" | "j">): number {
  return i % j;
}

/** The progress of a check of all lists of zeros and ones. */
export interface ZeroOneCount {
  inputs: number;
  tried: number;
  sorted: number;
  /** The first input that was not sorted. */
  failure: Uint32Array | undefined;
}

/**
 * Sorts every list of n zeros and ones by the network. If all are sorted, it sorts every list of n numbers, by the 0–1
 * principle (Knuth, The Art of Computer Programming, volume 3, 5.3.4). Yields its progress every 1,024 lists.
 * @param skippedPass a pass to leave out, counted from 0, which makes the check fail
 */
export function* zeroOneCheck(n: number, skippedPass: number | null = null): Generator<ZeroOneCount> {
  const network = [...bitonicPasses(n)].filter((_, pass) => pass !== skippedPass);
  const count: ZeroOneCount = { inputs: 2 ** n, tried: 0, sorted: 0, failure: undefined };
  const list = new Uint32Array(n);
  while (count.tried < count.inputs) {
    const bits = count.tried++;
    for (let index = 0; index < n; index++) list[index] = (bits >> index) & 1;
    bitonicSort({ blobs: list, blobCount: n }, network);
    if (list.every((bit, place) => place === 0 || list[place - 1] <= bit)) count.sorted++;
    else count.failure ??= Uint32Array.from({ length: n }, (_, place) => (bits >> place) & 1);
    if (count.tried % 1024 === 0 || count.tried === count.inputs) yield { ...count };
  }
}

/** Returns what a finished check proves; "" before its end. */
export function zeroOneVerdict({ inputs, tried, failure }: ZeroOneCount): string {
  if (tried < inputs) return "";
  if (!failure)
    return `All are sorted. By the 0–1 principle the network sorts every list of ${Math.log2(inputs)} numbers.`;
  return `Not all are sorted, so this is not a sorting network. It fails first at ${failure.join(" ")}.`;
}
