import type { Background, TrainConfig } from "../config.js";
import { type Size, sizeOf } from "../image/image.js";
import { type Blob, decodeAll, type Model, modelOf } from "./blob.js";
import { binBlobs } from "./tileLists.js";
import { calcUV, tileGrid, type UvMapping } from "./uv.js";

/** Decoded blobs and a render of them: its size and tiles, the lists of the tiles, and how pixels are blended. */
export interface TiledBlobs {
  size: Size;
  tile: [number, number];
  across: number;
  uv: UvMapping;
  background: Background;
  model: Model;
  blobs: Blob[];
  /** The blobs of each tile, in ascending index. */
  lists: number[][];
}

/** Returns blobs that learn an image of one size on the tiles of a render, at that size or another. */
export function tiledBlobs(
  config: TrainConfig,
  texture: Size,
  parameters: ArrayLike<number>,
  size = texture,
  tile = config.tile,
): TiledBlobs {
  const [uv, model] = [calcUV(size, texture), modelOf(config, texture)];
  const blobs = decodeAll(parameters, model);
  const { across } = tileGrid(size, tile);
  const lists = binBlobs(blobs, size, uv, tile);
  return { size: sizeOf(size), tile, across, uv, background: config.background, model, blobs, lists };
}
