import { meetsTile } from "../support.js";
import { tileGrid } from "../uv.js";
import { cutLists } from "./2-allocateLists.js";
import { type BinnedJob, type Entry, type Gathered, type Projected, subtilesMet } from "./lists.js";

/** Twin of shaders/binned/2-gatherLists.wgsl: each tile looks through all blobs in their order. */
export function gatherLists(job: BinnedJob, { leftBy: _, ...given }: Projected): Gathered {
  const { across, count: tiles } = tileGrid(job.band.size, job.tile);
  const lists = Array.from({ length: tiles }, (_, tile) =>
    given.pixelBlobs.flatMap(({ blob, first, around }, index): Entry[] => {
      const [column, row] = [tile % across, Math.floor(tile / across)];
      const [x, y] = [column - around.column, row - around.row];
      if (x < 0 || y < 0 || x >= around.across || y >= around.down) return [];
      if (!meetsTile(blob, column, row, job.tile)) return [];
      return [{ blob, index, pair: first + y * around.across + x, subtiles: subtilesMet(job, blob, tile) }];
    }),
  );
  const lengths = lists.map(({ length }) => length);
  return { ...given, ...cutLists(job, lengths), list: lists.flat() };
}
