import { parameterCount } from "../../../engine/blobs.js";
import type { TrainConfig } from "../../../engine/config.js";
import { decode, decodeAll, modelOf } from "../../../engine/cpu/blob.js";
import type { Render } from "../../../engine/cpu/parts.js";
import { differentiate } from "../../../engine/cpu/rasterize.js";
import { binBlobs, type TileLists } from "../../../engine/cpu/tileLists.js";
import { calcUV, tileArea, tileOrigin } from "../../../engine/cpu/uv.js";
import type { Image } from "../../../engine/image.js";

/** A training step that is looked into: its job, and the raw parameters that it began with. */
export interface StepSource {
  config: TrainConfig;
  image: Image;
  /** Steps done before it. */
  step: number;
  /** 9·N, field-major. */
  parameters: Float32Array;
  /** dL/draw, 9·N. */
  gradients: Float32Array;
}

/** A step cut into tiles of any size, which may differ from the job's: the gradients of a pixel do not depend on it. */
export interface TiledStep extends StepSource {
  tile: [number, number];
  lists: TileLists;
  render: Render;
}

/** Lays a step's blobs out on tiles. */
export function tileStep(source: StepSource, tile: [number, number]): TiledStep {
  const { config, image, parameters } = source;
  const model = modelOf(config, image);
  const uv = calcUV(image, image);
  const lists = binBlobs(decodeAll(parameters, model), image, uv, tile);
  // To the engine each pixel is a tile of its own, so that its gradients are told apart.
  const { width, height } = image;
  const { composite } = config;
  const render: Render = { size: { width, height }, tile: [1, 1], across: width, uv, composite, model };
  return { ...source, tile, lists, render };
}

/** The tiles that a blob meets, in the order of their numbers. */
export function tilesOf({ lists }: TiledStep, blob: number): number[] {
  const tiles: number[] = [];
  for (let t = 0; t + 1 < lists.offsets.length; t++) {
    if (blobsOf(lists, t).includes(blob)) tiles.push(t);
  }
  return tiles;
}

/** The blobs of a tile's short-list. */
export function blobsOf({ offsets, blobs }: TileLists, tile: number): Uint32Array {
  return blobs.subarray(offsets[tile], offsets[tile + 1]);
}

/**
 * dL/draw of one raw parameter of every blob of a tile's short-list at each pixel of the tile, before the clamp. By blob:
 * as many numbers as the tile has threads, by their local index, each rounded to float32; 0 for a thread whose pixel is
 * not on the picture.
 */
export function pixelGradients(step: TiledStep, tile: number, field: number): Map<number, Float32Array> {
  const { tile: size, lists, render, parameters, image } = step;
  const blobs = blobsOf(lists, tile);
  const values = Array.from(blobs, () => new Float32Array(size[0] * size[1]));
  const all = parameters.length / parameterCount;
  const gathered = new Float64Array(parameterCount * blobs.length);
  for (let f = 0; f < parameterCount; f++) {
    for (let k = 0; k < blobs.length; k++) gathered[f * blobs.length + k] = parameters[f * all + blobs[k]];
  }
  const list = blobs.map((_, k) => k);
  const offsets = Uint32Array.of(0, blobs.length);
  const origin = tileOrigin(tile, lists.across, size);
  const { left, top, right, bottom } = tileArea(tile, lists.across, size, image);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const firstTile = y * image.width + x;
      const target = image.data.subarray(4 * firstTile, 4 * firstTile + 4);
      const part = { render, firstTile, offsets, list, blobs, parameters: gathered, target };
      const { gradients } = differentiate(part, Number.POSITIVE_INFINITY);
      const localIndex = (y - origin.y) * size[0] + (x - origin.x);
      for (let k = 0; k < blobs.length; k++) values[k][localIndex] = gradients[field * blobs.length + k];
    }
  }
  return new Map(Array.from(blobs, (blob, k) => [blob, values[k]]));
}

/** The blob whose raw parameter has the largest gradient. */
export function steepestBlob({ gradients }: StepSource, field: number): number {
  const blobs = gradients.length / parameterCount;
  let best = 0;
  for (let i = 1; i < blobs; i++) {
    if (Math.abs(gradients[field * blobs + i]) > Math.abs(gradients[field * blobs + best])) best = i;
  }
  return best;
}

/** The tile in which a blob's centre lies, or the one nearest to it. */
export function centerTile({ parameters, config, image, lists, tile }: TiledStep, blob: number): number {
  const { centerX, centerY } = decode(parameters, blob, modelOf(config, image));
  const at = (center: number, pixels: number, side: number, tiles: number) =>
    Math.min(Math.max(Math.floor((center * pixels) / side), 0), tiles - 1);
  const column = at(centerX, image.width, tile[0], lists.across);
  return at(centerY, image.height, tile[1], lists.down) * lists.across + column;
}
