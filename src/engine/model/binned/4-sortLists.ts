import { meetsTile } from "../support.js";
import { type BinnedJob, type Entry, type Filled, type Sorted, subtile, subtileOrigins } from "./lists.js";

/** Twin of shaders/binned/4-sortLists.wgsl: each tile's list by blob index, with the subtiles that an entry meets. */
export function sortLists(job: BinnedJob, { leftBy: _, ...given }: Filled): Sorted {
  const { tileLists, keys, places, pixelBlobs } = given;
  const list: Entry[] = [];
  for (const { tile, first, count } of tileLists) {
    const sorted = Array.from({ length: count }, (_, k) => first + k).sort((a, b) => keys[a] - keys[b]);
    for (const [k, entry] of sorted.entries()) {
      const { blob } = pixelBlobs[keys[entry]];
      let subtiles = 0;
      for (const [bit, { x, y }] of subtileOrigins(job, tile).entries()) {
        if (meetsTile(blob, x / subtile[0], y / subtile[1], subtile)) subtiles |= 1 << (bit % 32);
      }
      list[first + k] = { blob: keys[entry], pair: places[2 * entry], subtiles: subtiles >>> 0 };
    }
  }
  return { ...given, list };
}
