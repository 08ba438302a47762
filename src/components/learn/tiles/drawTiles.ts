import type { FloatImage, Size } from "../../../engine/image/image.js";
import { draw } from "../../../engine/model/rasterize.js";
import { renderOf, renderTask, scatterPixels } from "../../../engine/model/renderTasks.js";
import { binBlobsInSteps, type TileLists } from "../../../engine/model/tileLists.js";
import { calcUV } from "../../../engine/model/uv.js";
import type { TileScene } from "./tileScene.js";

/** Draws a scene from its lists, or from others, on the CPU, a row of tiles at a time. */
export function drawTiles(scene: TileScene, lists: TileLists = scene.lists): Generator<void, FloatImage> {
  return drawLists(scene, scene.size, scene.size, lists);
}

/**
 * Draws a scene at any size and shape, on tiles of any size.
 * @param texture the shape of the picture that UV space stands for
 */
export function* drawAt(
  scene: TileScene,
  size: Size,
  texture: Size,
  tile: [number, number],
): Generator<void, FloatImage> {
  const lists = yield* binBlobsInSteps(scene.blobs, size, calcUV(size, texture), tile);
  return yield* drawLists({ ...scene, tile }, size, texture, lists);
}

function* drawLists(
  { config, tile, parameters, ...scene }: TileScene,
  size: Size,
  texture: Size,
  lists: TileLists,
): Generator<void, FloatImage> {
  const { model } = renderOf(config, scene.size);
  const render = { ...renderOf(config, texture, size, tile), model };
  const { width, height } = render.size;
  const data = new Float32Array(4 * width * height);
  for (let first = 0; first < lists.across * lists.down; first += lists.across) {
    const end = first + lists.across;
    scatterPixels(render, first, end, draw(renderTask(render, lists, parameters, undefined, first, end)), data);
    yield;
  }
  return { width, height, data };
}

/** Lists that keep at most `cap` blobs of each tile, the first: what is left where a full list takes no more. */
export function cutLists({ across, down, offsets, blobs }: TileLists, capacity: number): TileLists {
  const cutOffsets = new Uint32Array(offsets.length);
  for (let t = 0; t + 1 < offsets.length; t++)
    cutOffsets[t + 1] = cutOffsets[t] + Math.min(offsets[t + 1] - offsets[t], capacity);
  const cutBlobs = new Uint32Array(cutOffsets[cutOffsets.length - 1]);
  for (let t = 0; t + 1 < offsets.length; t++) {
    cutBlobs.set(blobs.subarray(offsets[t], offsets[t] + cutOffsets[t + 1] - cutOffsets[t]), cutOffsets[t]);
  }
  return { across, down, offsets: cutOffsets, blobs: cutBlobs };
}
