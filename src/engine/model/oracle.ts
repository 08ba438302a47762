import type { TrainConfig } from "../config.js";
import type { Image } from "../image/image.js";
import { estimateOneSidedSlopes, type OneSidedSlopes } from "../slopes.js";
import { parameterCount } from "./blobs.js";
import { differentiate } from "./rasterize.js";
import { listsOf, renderOf, renderTask } from "./renderTasks.js";
import { blobsOfTile } from "./tileLists.js";

/** The loss of a whole picture and dL/draw, in float64: the reference that every pipeline is held against. */
export function oracle(
  config: TrainConfig,
  image: Image,
  parameters: ArrayLike<number>,
): { loss: number; gradients: Float64Array } {
  const render = renderOf(config, image);
  const lists = listsOf(render, parameters);
  const wholeTask = renderTask(render, lists, parameters, image.data, 0, lists.across * lists.down);
  const { squaredError, blobs, gradients } = differentiate(wholeTask);
  const allGradients = new Float64Array(parameters.length);
  for (let slot = 0; slot < gradients.length; slot++) {
    const field = Math.floor(slot / blobs.length);
    allGradients[field * (parameters.length / parameterCount) + blobs[slot % blobs.length]] = gradients[slot];
  }
  return { loss: squaredError / (image.width * image.height), gradients: allGradients };
}

/** Its gradients alone. */
export function oracleGradients(config: TrainConfig, image: Image, parameters: Float32Array): Float64Array {
  return oracle(config, image, parameters).gradients;
}

/** The central difference of a whole picture's loss along one raw parameter, in float64. */
export function lossDifference(
  config: TrainConfig,
  image: Image,
  parameters: Float32Array,
  slot: number,
  h: number,
): number {
  const [rise, distance] = lossRise(config, image, parameters, slot, -h, h);
  return rise / distance;
}

/** The slopes of that loss from either side of a raw parameter, for where `lossDifference` reaches over a kink. */
export function lossSides(
  config: TrainConfig,
  image: Image,
  parameters: Float32Array,
  slot: number,
  h: number,
): OneSidedSlopes {
  return estimateOneSidedSlopes((offset) => lossRise(config, image, parameters, slot, 0, offset), h, 0);
}

/**
 * How much more the loss is at one offset of a raw parameter than at another, and how far these are apart. Only tiles
 * that list the blob at either are drawn: to all others it is nothing, so they add the same to both losses.
 */
function lossRise(
  config: TrainConfig,
  image: Image,
  parameters: Float32Array,
  slot: number,
  ...offsets: [from: number, to: number]
): [rise: number, distance: number] {
  const parameters64 = Float64Array.from(parameters);
  const [before, after] = offsets.map((offset) => parameters64[slot] + offset);
  const [low, high] = [before, after].map((value) => tilesOf(config, image, parameters64.with(slot, value)));
  const blob = slot % (parameters.length / parameterCount);
  let rise = 0;
  for (let tile = 0; tile < low.count; tile++) {
    if (low.lists(tile, blob) || high.lists(tile, blob)) rise += high.squaredError(tile) - low.squaredError(tile);
  }
  return [rise / (image.width * image.height), after - before];
}

/** The tiles of a picture: the blobs that each lists, and its squared error. */
function tilesOf(config: TrainConfig, image: Image, parameters: Float64Array) {
  const render = renderOf(config, image);
  const lists = listsOf(render, parameters);
  return {
    count: lists.across * lists.down,
    lists: (tile: number, blob: number) => blobsOfTile(lists, tile).includes(blob),
    squaredError: (tile: number) =>
      differentiate(renderTask(render, lists, parameters, image.data, tile, tile + 1)).squaredError,
  };
}
