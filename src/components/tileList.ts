import { parameterCount } from "../engine/blobs.js";
import { passes } from "../engine/cpu/shortList.js";
import { calcUV, tileBounds, tileOrigin } from "../engine/cpu/uv.js";
import type { Scene } from "./scene.js";

/** A tile's short-list, as the CPU twin of the kernels gathers it. */
export interface TileList {
  tile: number;
  /** Column and row of the tile. */
  column: number;
  row: number;
  /** Its first pixel. */
  x: number;
  y: number;
  /** The blobs of each gather–sort–blend pass, in ascending index. */
  passes: Uint32Array[];
  length: number;
}

/** Gathers the list of one tile. */
export function tileList({ config, target, view, boxes }: Scene, tile: number): TileList {
  const { across, size } = view.tiles;
  const origin = tileOrigin(tile, across, size);
  const bounds = tileBounds(origin, size, calcUV(target, target));
  // Where the pipeline takes a list in one pass, however long, it is shown as one.
  const cap = view.tiles.passes[tile] > 1 ? config.gaussiansPerBlock : 2 ** Math.ceil(Math.log2(boxes.length + 1));
  const lists: Uint32Array[] = [];
  let length = 0;
  for (const { list } of passes(boxes, bounds, cap)) {
    lists.push(list.blobs.slice(0, list.blobCount));
    length += list.blobCount;
  }
  return { tile, column: tile % across, row: Math.floor(tile / across), ...origin, passes: lists, length };
}

/** The tile with the longest list. */
export function fullestTile({ view }: Scene): number {
  const { lengths } = view.tiles;
  return lengths.reduce((best, length, tile) => (length > lengths[best] ? tile : best), 0);
}

/** How many blobs the scene has. */
export function blobCount({ view }: Scene): number {
  return view.state.parameters.length / parameterCount;
}
