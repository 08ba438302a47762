import { bitonicSort, type Comparator } from "../../../engine/cpu/shortList.js";
import { recordSort } from "./sortModel.js";

/** A comparator of the network and where it is drawn. */
export type Drawn = Pick<Comparator, "i" | "l" | "ascending"> & {
  /** Of the pass's lanes, so that no two comparators lie on each other. */
  lane: number;
};

/** A pass of the network, as it is drawn. */
export interface NetworkPass {
  k: number;
  j: number;
  lanes: number;
  comparators: Drawn[];
}

/** The comparison network for n places: it is the same for every list. */
export function networkPasses(n: number): NetworkPass[] {
  const { passes, comparators } = recordSort(new Uint32Array(n));
  return passes.map(({ k, j }, pass) => ({
    k,
    j,
    lanes: j,
    // The j comparators of a block of 2j cross each other, those of different blocks do not.
    comparators: comparators[pass].map(({ i, l, ascending }) => ({ i, l, ascending, lane: i % j })),
  }));
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
 * @param without a pass that is left out, counted from 0, to see that the check can fail
 * @returns the count, told now and then on the way
 */
export function* zeroOneCheck(n: number, without?: number): Generator<ZeroOneCount, ZeroOneCount> {
  const network = networkPasses(n).filter((_, pass) => pass !== without);
  const count: ZeroOneCount = { inputs: 2 ** n, tried: 0, sorted: 0, failure: undefined };
  const list = new Uint32Array(n);
  while (count.tried < count.inputs) {
    const bits = count.tried++;
    for (let place = 0; place < n; place++) list[place] = (bits >> place) & 1;
    bitonicSort(list, network);
    if (list.every((bit, place) => place === 0 || list[place - 1] <= bit)) count.sorted++;
    else count.failure ??= Uint32Array.from({ length: n }, (_, place) => (bits >> place) & 1);
    if (count.tried % 1024 === 0) yield { ...count };
  }
  return count;
}
