import { type Allocated, type Filled, noShard } from "./lists.js";

/** Puts each intersection into its tile's list. CPU reference of shaders/binned/3-fillLists.wgsl. */
export function fillLists({ leftBy: _, ...input }: Allocated): Filled {
  const { intersections, shardStarts, tileLists } = input;
  const entries = tileLists.reduce((sum, { count }) => sum + count, 0);
  const keys = new Uint32Array(entries);
  const places = new Uint32Array(2 * entries);
  for (const [intersection, { shard, position, blob }] of intersections.entries()) {
    if (input.status.overflowed || shard === noShard) continue;
    const at = shardStarts[shard] + position;
    keys[at] = blob;
    places.set([intersection, shard], 2 * at);
  }
  return { ...input, keys, places };
}
