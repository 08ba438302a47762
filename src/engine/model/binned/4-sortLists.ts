import { type BinnedJob, type Entry, type Filled, type Gathered, subtilesMet } from "./lists.js";

/** Twin of shaders/binned/4-sortLists.wgsl: each tile's list by blob index, with the subtiles that an entry meets. */
export function sortLists(job: BinnedJob, { leftBy: _, ...given }: Filled): Gathered {
  const { tileLists, keys, places, pixelBlobs } = given;
  const list: Entry[] = [];
  for (const { tile, first, count } of tileLists) {
    const sorted = Array.from({ length: count }, (_, k) => first + k).sort((a, b) => keys[a] - keys[b]);
    for (const [k, entry] of sorted.entries()) {
      const blob = keys[entry];
      const subtiles = subtilesMet(job, pixelBlobs[blob].blob, tile);
      list[first + k] = { blob, pair: places[2 * entry], subtiles };
    }
  }
  return { ...given, list };
}
