import { parameterCount, stateOf } from "../../../engine/blobs.js";
import type { TrainConfig } from "../../../engine/config.js";
import { decodeEach, modelOf } from "../../../engine/cpu/blob.js";
import { partOf } from "../../../engine/cpu/parts.js";
import { CpuPipeline } from "../../../engine/cpu/pipeline.js";
import { differentiate } from "../../../engine/cpu/rasterize.js";
import { binBlobs } from "../../../engine/cpu/tileLists.js";
import { calcUV } from "../../../engine/cpu/uv.js";
import type { Image } from "../../../engine/image.js";
import { type Compared, compareSlopes } from "./differences.js";

/** dL/draw of a whole picture by the twin's backward pass, in float64. */
export function oracleGradients(config: TrainConfig, image: Image, parameters: Float32Array): Float64Array {
  const twin = new CpuPipeline(config, image, stateOf(parameters), Float64Array);
  return Float64Array.from(twin.evaluate().gradients);
}

/**
 * The central difference of a whole picture's loss along one raw parameter, in float64. Only tiles that list the blob
 * are drawn, here or there: to all others it is nothing, so they add the same to both losses.
 */
export function lossDifference(
  config: TrainConfig,
  image: Image,
  parameters: Float32Array,
  slot: number,
  h: number,
): number {
  const at = Float64Array.from(parameters);
  const [before, after] = [at[slot] - h, at[slot] + h];
  const [low, high] = [before, after].map((value) => tilesOf(config, image, at.with(slot, value)));
  const blob = slot % (parameters.length / parameterCount);
  let rise = 0;
  for (let tile = 0; tile < low.count; tile++) {
    if (low.lists(tile, blob) || high.lists(tile, blob)) rise += high.squaredError(tile) - low.squaredError(tile);
  }
  return rise / (image.width * image.height) / (after - before);
}

/** The tiles of a picture: the blobs that each lists, and its squared error. */
function tilesOf(config: TrainConfig, image: Image, parameters: Float64Array) {
  const { tile: size, composite } = config;
  const { width, height } = image;
  const model = modelOf(config, image);
  const uv = calcUV(image, image);
  const lists = binBlobs(decodeEach(parameters, model), image, uv, size);
  const { across, down, offsets, blobs } = lists;
  const render = { size: { width, height }, tile: size, across, uv, composite, model };
  return {
    count: across * down,
    lists: (tile: number, blob: number) => blobs.subarray(offsets[tile], offsets[tile + 1]).includes(blob),
    squaredError: (tile: number) =>
      differentiate(partOf(render, lists, parameters, image.data, tile, tile + 1)).squaredError,
  };
}

/** Disagreement that is allowed: that of differences in float64, or that of a backward pass in float32. */
export const checkTolerances = { float64: 1e-4, float32: 2e-3 };

/**
 * Compares a slot's gradient with its difference. What is small beside the largest gradient that any blob has of that
 * parameter is compared on the scale of a thousandth of it.
 */
export function compareSlot(
  gradients: ArrayLike<number>,
  slot: number,
  difference: number,
  precision: keyof typeof checkTolerances,
): Compared {
  const blobs = gradients.length / parameterCount;
  const first = Math.floor(slot / blobs) * blobs;
  let largest = 0;
  for (let i = first; i < first + blobs; i++) largest = Math.max(largest, Math.abs(gradients[i]));
  // The second one only sets the scale.
  const [compared] = compareSlopes(
    [gradients[slot], largest],
    [difference, largest],
    [1, 1],
    checkTolerances[precision],
  );
  return compared;
}
