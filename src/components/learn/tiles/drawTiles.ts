import type { FloatImage, Size } from "../../../engine/image/image.js";
import { draw } from "../../../engine/model/rasterize.js";
import { renderOf, renderTask, scatterPixels } from "../../../engine/model/renderTasks.js";
import { binBlobsInSteps, blobsOfTile, type TileLists } from "../../../engine/model/tileLists.js";
import { calcUV } from "../../../engine/model/uv.js";
import type { TileScene } from "./tileScene.js";

/** Draws a scene from its lists, or from others, with the CPU reference, one row of tiles at a time. */
export function drawTiles(scene: TileScene, lists: TileLists = scene.lists): Generator<void, FloatImage> {
  return drawLists(scene, scene.size, scene.size, lists);
}

/**
 * Draws a scene at any size and aspect ratio, on tiles of any size.
 * @param texture the size of the image that UV space covers
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

/** Returns the lists with at most `capacity` blobs each, the first ones. */
export function truncateLists({ across, down, offsets, ...lists }: TileLists, capacity: number): TileLists {
  const blobs: number[] = [];
  const ends = Array.from({ length: across * down }, (_, tile) =>
    blobs.push(...blobsOfTile({ across, down, offsets, ...lists }, tile).subarray(0, capacity)),
  );
  return { across, down, offsets: Uint32Array.of(0, ...ends), blobs: Uint32Array.from(blobs) };
}
