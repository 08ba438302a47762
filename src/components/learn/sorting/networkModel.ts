import { bitonicPasses, bitonicSort, type Comparator } from "../../../engine/model/shortList.js";

/** The lane of its pass in which a comparator is drawn: the j of a block of 2j cross each other, others do not. */
export function laneOf({ i, j }: Pick<Comparator, "i" | "j">): number {
  return i % j;
}

/** How far a check of zeros and ones has come. */
export interface ZeroOneCount {
  inputs: number;
  tried: number;
  sorted: number;
  /** The first input that was not sorted. */
  failure: Uint32Array | undefined;
}

/**
 * Sorts every list of n zeros and ones by the network. If all are sorted, it sorts every list of n numbers: the 0–1
 * principle (Knuth, The Art of Computer Programming, volume 3, 5.3.4).
 * @param skippedPass a pass that is left out, counted from 0, to see that the check can fail
 * @returns the count now and then on the way, and at the end: a cell shows one a frame
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

/** What a check of all zeros and ones proves, once it is at its end. */
export function zeroOneVerdict({ inputs, tried, failure }: ZeroOneCount): string {
  if (tried < inputs) return "";
  if (!failure)
    return `All are sorted. By the 0–1 principle the network sorts every list of ${Math.log2(inputs)} numbers.`;
  return `Not all are sorted, so this is not a sorting network. It fails first at ${failure.join(" ")}.`;
}
