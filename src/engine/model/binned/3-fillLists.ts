import { type Allocated, type BinnedJob, copyOf, type Filled, noTile } from "./lists.js";

/** Twin of shaders/binned/3-fillLists.wgsl: puts each pair into its tile's list. */
export function fillLists(job: BinnedJob, { leftBy: _, ...given }: Allocated): Filled {
  const { pairs, copyStarts, tileLists, pixelBlobs } = given;
  const entries = tileLists.reduce((sum, { count }) => sum + count, 0);
  const keys = new Uint32Array(entries);
  const places = new Uint32Array(2 * entries);
  for (const [pair, { tile, position, blob }] of pairs.entries()) {
    if (tile === noTile) continue;
    const at = copyStarts[tile * (job.copies + 1) + copyOf(job, blob, pixelBlobs.length)] + position;
    keys[at] = blob;
    places.set([pair, tile], 2 * at);
  }
  return { ...given, keys, places };
}
