import { type BinnedJob, type Entry, type Filled, type Gathered, subtilesMet } from "./lists.js";

/** Twin of shaders/binned/4-sortLists.wgsl: each tile's list by blob index, with what blending an entry takes. */
export function sortLists(job: BinnedJob, { leftBy: _, ...given }: Filled): Gathered {
  const { tileLists, keys, places, pixelBlobs } = given;
  const list: Entry[] = [];
  for (const [tile, { first, count }] of tileLists.entries()) {
    const sorted = Array.from({ length: count }, (_, k) => first + k).sort((a, b) => keys[a] - keys[b]);
    for (const [k, entry] of sorted.entries()) {
      const { blob } = pixelBlobs[keys[entry]];
      list[first + k] = { blob, index: keys[entry], pair: places[2 * entry], subtiles: subtilesMet(job, blob, tile) };
    }
  }
  return { ...given, list };
}
