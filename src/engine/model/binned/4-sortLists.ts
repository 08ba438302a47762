import { type BinnedJob, type Entry, type Filled, type Gathered, subtilesMet } from "./lists.js";

/**
 * Sorts each tile's list by blob index, with the subtiles that each entry meets, and divides it evenly among the next
 * step's shards. CPU reference of shaders/binned/4-sortLists.wgsl.
 */
export function sortLists(job: BinnedJob, { leftBy: _, ...input }: Filled): Gathered {
  const { tileLists, keys, places, pixelBlobs } = input;
  const { shards } = job;
  const list: Entry[] = [];
  const firstBlobs = input.status.firstBlobs.slice();
  for (const { tile, first, count } of tileLists) {
    const sorted = Array.from({ length: count }, (_, k) => first + k).sort((a, b) => keys[a] - keys[b]);
    for (const [k, entry] of sorted.entries()) {
      const blob = keys[entry];
      const subtiles = subtilesMet(job, pixelBlobs[blob].blob, tile);
      list[first + k] = { blob, intersection: places[2 * entry], subtiles };
    }
    for (let shard = 1; shard < shards && count > 0; shard++)
      firstBlobs[tile * shards + shard] = list[first + Math.floor((shard * count) / shards)].blob;
  }
  return { ...input, list, status: { ...input.status, firstBlobs } };
}
