import { type Allocated, type Filled, noShard } from "./lists.js";

/** Twin of shaders/binned/3-fillLists.wgsl: puts each pair into its tile's list. */
export function fillLists({ leftBy: _, ...given }: Allocated): Filled {
  const { pairs, shardStarts, tileLists } = given;
  const entries = tileLists.reduce((sum, { count }) => sum + count, 0);
  const keys = new Uint32Array(entries);
  const places = new Uint32Array(2 * entries);
  for (const [pair, { shard, position, blob }] of pairs.entries()) {
    if (given.status.halted || shard === noShard) continue;
    const at = shardStarts[shard] + position;
    keys[at] = blob;
    places.set([pair, shard], 2 * at);
  }
  return { ...given, keys, places };
}
