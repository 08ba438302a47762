import type { TrainConfig } from "../config.js";
import type { Image } from "../image/image.js";
import { parameterCount, stateOf } from "../model/blobs.js";
import { type Sides, slopesAside } from "../slopes.js";
import { listsOf, partOf, renderOf } from "./parts.js";
import { CpuPipeline } from "./pipeline.js";
import { differentiate } from "./rasterize.js";
import { blobsOfTile } from "./tileLists.js";

/** dL/draw of a whole picture by the twin's backward pass, in float64. */
export function oracleGradients(config: TrainConfig, image: Image, parameters: Float32Array): Float64Array {
  const twin = new CpuPipeline(config, image, stateOf(parameters), Float64Array);
  return Float64Array.from(twin.evaluate().gradients);
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
export function lossSides(config: TrainConfig, image: Image, parameters: Float32Array, slot: number, h: number): Sides {
  return slopesAside((offset) => lossRise(config, image, parameters, slot, 0, offset), h, 0);
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
  const at = Float64Array.from(parameters);
  const [before, after] = offsets.map((offset) => at[slot] + offset);
  const [low, high] = [before, after].map((value) => tilesOf(config, image, at.with(slot, value)));
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
      differentiate(partOf(render, lists, parameters, image.data, tile, tile + 1)).squaredError,
  };
}
