import { tileGrid } from "../uv.js";
import type { Allocated, BinnedJob, Projected, Segment, TileList } from "./lists.js";

/** Lists that are longer come first. */
export const longList = 256;

/** Twin of shaders/binned/2-allocateLists.wgsl: each tile's part of the list buffer, and its segments. */
export function allocateLists({ band, tile: size, copies, segmentLength }: BinnedJob, given: Projected): Allocated {
  const { count: tiles } = tileGrid(band.size, size);
  const tileLists: TileList[] = [];
  const segments: Segment[] = [];
  const copyStarts = new Uint32Array((copies + 1) * tiles);
  let first = 0;
  for (let tile = 0; tile < tiles; tile++) {
    let count = 0;
    for (let copy = 0; copy < copies; copy++) {
      copyStarts[tile * (copies + 1) + copy] = first + count;
      count += given.status.tileCounts[copy * tiles + tile];
    }
    copyStarts[tile * (copies + 1) + copies] = first + count;
    tileLists.push({ tile, first, count, firstSegment: segments.length });
    for (let start = 0; start < count; start += segmentLength) {
      segments.push({ tile, first: first + start, count: Math.min(segmentLength, count - start) });
    }
    first += count;
  }
  tileLists.sort((a, b) => Number(b.count > longList) - Number(a.count > longList));
  const status = { tileCounts: new Uint32Array(copies * tiles) };
  const { leftBy: _, ...buffers } = given;
  return { ...buffers, status, tileLists, segments, copyStarts };
}
