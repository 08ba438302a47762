import { listCapacity } from "../../engine/config.js";
import { coarseRasterize, initShortList, passes, type ShortList } from "../../engine/model/shortList.js";
import { calcUV, tileBounds, tileOrigin } from "../../engine/model/uv.js";
import type { Scene } from "./scene.js";

/** A tile's list, built by the CPU reference. */
export interface TileList {
  tile: number;
  column: number;
  row: number;
  /** The tile's first pixel. */
  x: number;
  y: number;
  /** The blobs of each gather–sort–blend pass, in ascending index. */
  passes: Uint32Array[];
  length: number;
}

/** Blobs that are tested between two yields. */
const batchSize = 4096;

/** Builds the list of a tile. Yields between batches of blobs. */
export function* tileList({ config, target, inspection, boxes }: Scene, tile: number): Generator<void, TileList> {
  const { across, size } = inspection.tiles;
  const origin = tileOrigin(tile, across, size);
  const bounds = tileBounds(origin, size, calcUV(target, target));
  const lists: Uint32Array[] = [];
  const add = ({ blobs, blobCount }: ShortList) => lists.push(blobs.slice(0, blobCount));
  if (inspection.tiles.passes[tile] > 1) {
    for (const { list } of passes(boxes, bounds, listCapacity(config))) {
      add(list);
      yield;
    }
  } else {
    // This pipeline processes a list of any length in one pass.
    const list = initShortList(boxes.length);
    for (let start = 0; start < boxes.length; start += batchSize) {
      coarseRasterize(list, boxes, bounds, start, Math.min(start + batchSize, boxes.length));
      yield;
    }
    add(list);
  }
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  return { tile, column: tile % across, row: Math.floor(tile / across), ...origin, passes: lists, length };
}
