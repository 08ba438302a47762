import type { TrainConfig } from "../config.js";
import type { Image } from "../image/image.js";
import { parameterCount } from "./blobs.js";
import { differentiate } from "./rasterize.js";
import { type TiledBlobs, tiledBlobs } from "./tiledBlobs.js";

/** Returns the loss of an image and dL/draw in float64: the reference for every pipeline. */
export function oracle(
  config: TrainConfig,
  image: Image,
  parameters: ArrayLike<number>,
): { loss: number; gradients: Float64Array } {
  const { squaredError, gradients } = differentiate(tiledBlobs(config, image, parameters), image.data);
  return { loss: squaredError / (image.width * image.height), gradients };
}

/**
 * Returns the central difference of the loss along one raw parameter, in float64. Only tiles that list the blob at either
 * offset are drawn; the others add the same to both losses.
 * @param h half the distance
 */
export function lossDifference(
  config: TrainConfig,
  image: Image,
  parameters: Float32Array,
  slot: number,
  h: number,
): number {
  const parameters64 = Float64Array.from(parameters);
  const [before, after] = [parameters64[slot] - h, parameters64[slot] + h];
  const [low, high] = [before, after].map((value) => tiledBlobs(config, image, parameters64.with(slot, value)));
  const squaredError = (blobs: TiledBlobs, t: number) =>
    differentiate(blobs, image.data, undefined, t, t + 1).squaredError;
  const blob = slot % (parameters.length / parameterCount);
  let rise = 0;
  for (let t = 0; t < low.lists.length; t++) {
    const isListed = [low, high].some(({ lists }) => lists[t].includes(blob));
    if (isListed) rise += squaredError(high, t) - squaredError(low, t);
  }
  return rise / (image.width * image.height) / (after - before);
}
