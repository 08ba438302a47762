import { tileGrid } from "../uv.js";
import type { Allocated, BinnedJob, ListLayout, Projected, Segment, TileList } from "./lists.js";

/** Longer lists come first. */
const longListLength = 256;

/** Returns each tile's range of the list buffer and its segments. CPU reference of shaders/binned/2-allocateLists.wgsl. */
export function allocateLists(job: BinnedJob, { leftBy: _, ...input }: Projected): Allocated {
  const { band, tile: size, shards } = job;
  const overflowed = input.intersections.length > job.capacity;
  if (overflowed)
    return {
      ...input,
      tileLists: [],
      segments: [],
      status: { ...input.status, overflowed },
      shardStarts: new Uint32Array(),
    };
  const { count: tiles } = tileGrid(band.size, size);
  const shardStarts = new Uint32Array((shards + 1) * tiles);
  const lengths: number[] = [];
  let first = 0;
  for (let tile = 0; tile < tiles; tile++) {
    let count = 0;
    for (let shard = 0; shard < shards; shard++) {
      shardStarts[tile * (shards + 1) + shard] = first + count;
      count += input.status.tileCounts[shard * tiles + tile];
    }
    first += count;
    shardStarts[tile * (shards + 1) + shards] = first;
    lengths.push(count);
  }
  const status = { ...input.status, tileCounts: new Uint32Array(shards * tiles) };
  return { ...input, ...cutLists(job, lengths), status, shardStarts };
}

/** Returns ranges of the list buffer for lists of these lengths, and their segments. CPU reference of shaders/binned/allocation.wgsl. */
export function cutLists({ segmentLength }: BinnedJob, lengths: number[]): ListLayout {
  const tileLists: TileList[] = [];
  const segments: Segment[] = [];
  let first = 0;
  for (const [tile, count] of lengths.entries()) {
    tileLists.push({ tile, first, count, firstSegment: segments.length });
    for (let start = 0; start < count; start += segmentLength) {
      segments.push({ tile, first: first + start, count: Math.min(segmentLength, count - start) });
    }
    first += count;
  }
  tileLists.sort((a, b) => Number(b.count > longListLength) - Number(a.count > longListLength));
  return { tileLists, segments };
}
