import type { Picture, Size } from "../../../engine/image/image.js";
import { partsOf, renderOf, scatterPixels } from "../../../engine/model/parts.js";
import { draw } from "../../../engine/model/rasterize.js";
import { binning, type TileLists } from "../../../engine/model/tileLists.js";
import { calcUV } from "../../../engine/model/uv.js";
import type { TileScene } from "./tileScene.js";

/** Draws a scene from its lists, or from others, by the CPU engine, a part at a time. */
export function drawTiles(scene: TileScene, lists: TileLists = scene.lists): Generator<void, Picture> {
  return drawOn(scene, scene.size, scene.size, lists);
}

/**
 * Draws a scene at any size and shape, on tiles of any size.
 * @param texture the shape of the picture that UV space stands for
 */
export function* drawAt(scene: TileScene, size: Size, texture: Size, tile: [number, number]): Generator<void, Picture> {
  const lists = yield* binning(scene.blobs, size, calcUV(size, texture), tile);
  return yield* drawOn({ ...scene, tile }, size, texture, lists);
}

function* drawOn(
  { config, tile, parameters, ...scene }: TileScene,
  size: Size,
  texture: Size,
  lists: TileLists,
): Generator<void, Picture> {
  const { model } = renderOf(config, scene.size);
  const render = { ...renderOf(config, texture, size, tile), model };
  const { width, height } = render.size;
  const data = new Float32Array(4 * width * height);
  for (const part of partsOf(render, lists, parameters)) {
    const { firstTile, endTile, pixels } = draw(part);
    scatterPixels(render, firstTile, endTile, pixels, data);
    yield;
  }
  return { width, height, data };
}

/** Lists that keep at most `cap` blobs of each tile, the first: what is left where a full list takes no more. */
export function cutLists({ across, down, offsets, blobs }: TileLists, cap: number): TileLists {
  const ends = new Uint32Array(offsets.length);
  for (let t = 0; t + 1 < offsets.length; t++) ends[t + 1] = ends[t] + Math.min(offsets[t + 1] - offsets[t], cap);
  const kept = new Uint32Array(ends[ends.length - 1]);
  for (let t = 0; t + 1 < offsets.length; t++) {
    kept.set(blobs.subarray(offsets[t], offsets[t] + ends[t + 1] - ends[t]), ends[t]);
  }
  return { across, down, offsets: ends, blobs: kept };
}
