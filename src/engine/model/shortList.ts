import { intersects, type OrientedBox } from "./bounds.js";

/** Fills the unused tail of a tile list; sorts after every blob. */
export const sentinel = 0xffffffff;

/** The tile list of one workgroup: its blobs and their number; blobs beyond the capacity are counted but not stored. */
export interface ShortList {
  blobs: Uint32Array;
  blobCount: number;
}

/** Returns an empty list of a given capacity. CPU reference of shaders/tiled/initShortList.wgsl. */
export function initShortList(gaussiansPerBlock: number): ShortList {
  return { blobs: new Uint32Array(gaussiansPerBlock), blobCount: 0 };
}

/**
 * Appends the blobs start ≤ i < end that have bounds on the tile, in the order in which threads that stride by the
 * workgroup's size arrive when they run in lockstep. CPU reference of shaders/tiled/coarseRasterize.wgsl.
 */
export function coarseRasterize(
  list: ShortList,
  bounds: OrientedBox[],
  tile: OrientedBox,
  start: number,
  end: number,
): ShortList {
  //@ gather.stride
  for (let i = start; i < end; i++) {
    if (!intersects(bounds[i], tile)) continue; //@ gather.test
    if (list.blobCount < list.blobs.length) list.blobs[list.blobCount] = i; //@ gather.store
    list.blobCount++; //@ gather.count
  }
  return list;
}

/** Fills the tail with sentinels. CPU reference of shaders/tiled/padBuffer.wgsl. */
export function padBuffer(list: ShortList): ShortList {
  list.blobs.fill(sentinel, list.blobCount); //@ pad.store
  return list;
}

/** A pass of the sorting network: block size k and distance j of the partners. */
export interface Pass {
  k: number;
  j: number;
}

/** One comparator of a pass, and its result: the smaller number is at i if it is ascending, otherwise at l. */
export interface Comparator extends Pass {
  i: number;
  l: number;
  ascending: boolean;
  swapped: boolean;
}

/**
 * Sorts a list in place, pass by pass; its capacity is a power of two. CPU reference of shaders/tiled/bitonicSort.wgsl.
 * @param network some of the passes; all if absent
 * @param observer called after each comparator
 */
export function bitonicSort(
  list: ShortList,
  network: Iterable<Pass> = bitonicPasses(list.blobs.length),
  observer?: (comparator: Comparator) => void,
): ShortList {
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
  return list;
}

/** Yields the passes of the network for n elements. */
export function* bitonicPasses(n: number): Generator<Pass> {
  for (let k = 2; k <= n; k *= 2) for (let j = k / 2; j >= 1; j /= 2) yield { k, j };
}

/** A window of blob indices, start ≤ i < end, and the list gathered from it. */
interface GatheredWindow {
  start: number;
  end: number;
  list: ShortList;
}

/**
 * Yields every window that a tile gathers from. After an overflow a shorter window is tried; the windows without
 * overflow together cover all indices.
 */
export function* windows(
  bounds: OrientedBox[],
  tile: OrientedBox,
  gaussiansPerBlock: number,
): Generator<GatheredWindow> {
  let start = 0;
  let length = bounds.length;
  while (start < bounds.length) {
    const end = Math.min(start + length, bounds.length);
    const list = coarseRasterize(initShortList(gaussiansPerBlock), bounds, tile, start, end); //@ overflow.gather
    yield { start, end, list };
    if (list.blobCount > gaussiansPerBlock) {
      const guess = (0.9 * (end - start) * gaussiansPerBlock) / list.blobCount; //@ overflow.{shorten,guess}
      length = Math.max(gaussiansPerBlock, Math.floor(guess));
    } else {
      start = end; //@ overflow.fits
    }
  }
}

/**
 * Yields the gather–sort–blend passes of one tile: sorted lists over successive windows, each within the capacity, with
 * every blob that meets the tile in ascending order.
 */
export function* passes(
  bounds: OrientedBox[],
  tile: OrientedBox,
  gaussiansPerBlock: number,
): Generator<GatheredWindow> {
  for (const window of windows(bounds, tile, gaussiansPerBlock)) {
    if (window.list.blobCount > gaussiansPerBlock) continue;
    yield { ...window, list: bitonicSort(padBuffer(window.list)) };
  }
}
