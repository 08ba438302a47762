import { intersects, type OrientedBox } from "./bounds.js";

/** Fills the unused tail of a short-list, so that it sorts behind every blob. */
export const sentinel = 0xffffffff;

/** Who has left a short-list. */
type ListStage = "emptied" | "filled" | "padded" | "sorted";

/**
 * The short-list of one workgroup: its blobs and how many there are; more than fit are counted, not stored. Each stage
 * takes what the stage before it returns, so that a call out of order does not compile.
 */
export interface ShortList<Stage extends ListStage = ListStage> {
  blobs: Uint32Array;
  blobCount: number;
  /** Never there: a type alone. */
  readonly leftBy?: Stage;
}

function asStage<Stage extends ListStage>(list: ShortList): ShortList<Stage> {
  return list as ShortList<Stage>;
}

/** An empty short-list of a given capacity. Twin of shaders/tiled/initShortList.wgsl. */
export function initShortList(gaussiansPerBlock: number): ShortList<"emptied"> {
  return { blobs: new Uint32Array(gaussiansPerBlock), blobCount: 0 };
}

/**
 * Appends the blobs start ≤ i < end whose bounds meet the tile, in the order in which threads that stride by the
 * workgroup's size arrive when they run in step. Twin of shaders/tiled/coarseRasterize.wgsl.
 */
export function coarseRasterize(
  list: ShortList<"emptied">,
  bounds: OrientedBox[],
  tile: OrientedBox,
  start: number,
  end: number,
): ShortList<"filled"> {
  //@ gather.stride
  for (let i = start; i < end; i++) {
    if (!intersects(bounds[i], tile)) continue; //@ gather.test
    if (list.blobCount < list.blobs.length) list.blobs[list.blobCount] = i; //@ gather.store
    list.blobCount++; //@ gather.count
  }
  return asStage(list);
}

/** Fills the tail with sentinels. Twin of shaders/tiled/padBuffer.wgsl. */
export function padBuffer(list: ShortList<"filled">): ShortList<"padded"> {
  list.blobs.fill(sentinel, list.blobCount); //@ pad.store
  return asStage(list);
}

/** A pass of the network: block size k and distance j of the partners. */
export interface Pass {
  k: number;
  j: number;
}

/** One comparator of a pass, and what it did: the smaller number is at place i if it is ascending, otherwise at l. */
export interface Comparator extends Pass {
  i: number;
  l: number;
  ascending: boolean;
  swapped: boolean;
}

/**
 * Sorts a list of a power of two of numbers in place, pass by pass. Twin of shaders/tiled/bitonicSort.wgsl.
 * @param network a part of the passes, for who looks at a part of the work
 * @param observer hears of each comparator once it is done
 */
export function bitonicSort(
  list: ShortList<"padded">,
  network: Iterable<Pass> = bitonicPasses(list.blobs.length),
  observer?: (comparator: Comparator) => void,
): ShortList<"sorted"> {
  const { blobs } = list;
  //@ sort.pass
  for (const { k, j } of network) {
    for (let i = 0; i < blobs.length; i++) {
      const l = i ^ j; //@ sort.partner
      if (l <= i) continue;
      const ascending = (i & k) === 0; //@ sort.direction
      const swapped = ascending ? blobs[i] > blobs[l] : blobs[i] < blobs[l]; //@ sort.compare
      if (swapped) [blobs[i], blobs[l]] = [blobs[l], blobs[i]]; //@ sort.swap
      observer?.({ k, j, i, l, ascending, swapped });
    }
  }
  return asStage(list);
}

/** The passes of the network for n elements. */
export function* bitonicPasses(n: number): Generator<Pass> {
  for (let k = 2; k <= n; k *= 2) for (let j = k / 2; j >= 1; j /= 2) yield { k, j };
}

/** The end of the first window to try for an overflowing one: as many indices as should fit, at least the cap. */
export function smallerWindow(length: number, blobCount: number, gaussiansPerBlock: number): number {
  return Math.max(gaussiansPerBlock, Math.floor((0.9 * length * gaussiansPerBlock) / blobCount)); //@ overflow.guess
}

/** A window of blob indices, start ≤ i < end, and what was gathered from it. */
export interface GatheredWindow<Stage extends ListStage = ListStage> {
  start: number;
  end: number;
  list: ShortList<Stage>;
}

/**
 * Every window that a tile gathers from, one after the other. One whose blobs are more than fit is given up, and a
 * shorter one tried; the others, together, cover all indices.
 */
export function* windows(
  bounds: OrientedBox[],
  tile: OrientedBox,
  gaussiansPerBlock: number,
): Generator<GatheredWindow<"filled">> {
  let start = 0;
  let length = bounds.length;
  while (start < bounds.length) {
    const end = Math.min(start + length, bounds.length);
    const list = coarseRasterize(initShortList(gaussiansPerBlock), bounds, tile, start, end); //@ overflow.gather
    yield { start, end, list };
    if (list.blobCount > gaussiansPerBlock) {
      length = smallerWindow(end - start, list.blobCount, gaussiansPerBlock); //@ overflow.shorten
    } else {
      start = end; //@ overflow.fits
    }
  }
}

/**
 * The gather–sort–blend passes of one tile: short-lists over successive windows of blob indices, each within the
 * capacity, together every blob that meets the tile, in ascending order.
 */
export function* passes(
  bounds: OrientedBox[],
  tile: OrientedBox,
  gaussiansPerBlock: number,
): Generator<GatheredWindow<"sorted">> {
  for (const window of windows(bounds, tile, gaussiansPerBlock)) {
    if (window.list.blobCount > gaussiansPerBlock) continue;
    yield { ...window, list: bitonicSort(padBuffer(window.list)) };
  }
}
