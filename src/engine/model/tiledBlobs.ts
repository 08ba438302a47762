import type { Background, TrainConfig } from "../config.js";
import { type Size, sizeOf } from "../image/image.js";
import { type Blob, decodeAll, type Model, modelOf } from "./blob.js";
import { binBlobs, type TileLists } from "./tileLists.js";
import { calcUV, type UvMapping } from "./uv.js";

/** Decoded blobs and a render of them: its size and tiles, the lists of the tiles, and how pixels are blended. */
export interface TiledBlobs {
  size: Size;
  tile: [number, number];
  across: number;
  uv: UvMapping;
  background: Background;
  model: Model;
  blobs: Blob[];
  lists: TileLists;
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
  const lists = binBlobs(blobs, size, uv, tile);
  return { size: sizeOf(size), tile, across: lists.across, uv, background: config.background, model, blobs, lists };
}
