import { tileGrid } from "../uv.js";
import { cutLists } from "./2-allocateLists.js";
import { type BinnedJob, type Entry, type Gathered, type Projected, subtilesMet, wordsPerTile } from "./lists.js";

/** Returns the tile lists from the bits of each tile. CPU reference of shaders/binned/2to4-gatherLists.wgsl. */
export function gatherLists(job: BinnedJob, { leftBy: _, ...input }: Projected): Gathered {
  const { pixelBlobs, status } = input;
  const overflowed = input.intersections.length > job.capacity;
  if (overflowed) return { ...input, tileLists: [], segments: [], list: [], status: { ...status, overflowed } };
  const { across, count: tiles } = tileGrid(job.band.size, job.tile);
  const words = wordsPerTile(pixelBlobs.length);
  const lists = Array.from({ length: tiles }, (_, tile) =>
    pixelBlobs.flatMap(({ blob: drawn, first, around }, blob): Entry[] => {
      const isMet = (status.bits[tile * words + Math.floor(blob / 32)] >>> (blob % 32)) & 1;
      if (!isMet) return [];
      const [x, y] = [(tile % across) - around.column, Math.floor(tile / across) - around.row];
      return [{ blob, intersection: first + y * around.across + x, subtiles: subtilesMet(job, drawn, tile) }];
    }),
  );
  const lengths = lists.map(({ length }) => length);
  const bits = new Uint32Array(status.bits.length);
  return { ...input, ...cutLists(job, lengths), status: { ...status, bits }, list: lists.flat() };
}
