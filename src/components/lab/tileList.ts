import { listCapacity } from "../../engine/config.js";
import { parameterCount } from "../../engine/model/blobs.js";
import { coarseRasterize, initShortList, passes, type ShortList } from "../../engine/model/shortList.js";
import { calcUV, tileBounds, tileOrigin } from "../../engine/model/uv.js";
import type { Scene } from "./scene.js";

/** A tile's short-list, as the CPU twin of the kernels gathers it. */
export interface TileList {
  tile: number;
  column: number;
  row: number;
  /** Its first pixel. */
  x: number;
  y: number;
  /** The blobs of each gather–sort–blend pass, in ascending index. */
  passes: Uint32Array[];
  length: number;
}

/** Blobs that are looked at before the thread is given back. */
const batchSize = 4096;

/** Gathers the list of one tile, some blobs at a time. */
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
    // Where the pipeline takes a list in one pass, however long, it is shown as one, which one thread gathers in order.
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

/** The tile of a pixel. */
export function tileAt({ inspection }: Scene, { x, y }: { x: number; y: number }): number {
  const { size, across } = inspection.tiles;
  return Math.floor(y / size[1]) * across + Math.floor(x / size[0]);
}

/** The tile with the longest list. */
export function fullestTile({ inspection }: { inspection: Pick<Scene["inspection"], "tiles"> }): number {
  const { lengths } = inspection.tiles;
  return lengths.reduce((best, length, tile) => (length > lengths[best] ? tile : best), 0);
}

/** How many blobs the scene has. */
export function blobCount({ inspection }: Scene): number {
  return inspection.state.parameters.length / parameterCount;
}
