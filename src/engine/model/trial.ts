import type { TrainConfig } from "../config.js";
import type { Image } from "../image/image.js";
import { clampGradient, gradientLimitOf, treeReduce } from "./accumulate.js";
import { corrections, updateBlobs } from "./adam.js";
import { type BlobValues, valueNames } from "./blob.js";
import { parameterCount } from "./blobs.js";
import { blobBounds } from "./bounds.js";
import { differentiate, draw } from "./rasterize.js";
import { ratesAt } from "./rates.js";
import { passes, type ShortList } from "./shortList.js";
import { type TiledBlobs, tiledBlobs } from "./tiledBlobs.js";
import { tileArea, tileBounds, tileOrigin } from "./uv.js";

/** What some steps compute: the first render and gradients, and the parameters after the last step. */
export interface Trial {
  /** Red, green, blue and transmittance of each pixel, before the first step. */
  render: Float32Array;
  /** dL/draw before the first step, 9·N, field-major. */
  gradients: Float64Array;
  /** Raw parameters after the steps, like the gradients. */
  parameters: Float64Array;
  /** Tile–blob intersections: the entries of all tile lists before the first step; absent if a pipeline lists others. */
  intersections?: number;
}

/**
 * Takes some training steps in float64 with every stage of the original algorithm: tile lists that are gathered, padded
 * and sorted in windows of the list capacity, gradients that are summed over a tile by the tree reduction.
 * @param config its `gaussiansPerBlock` must be a number
 * @param startParameters 9·N raw parameters, field-major
 */
export function runTrial(config: TrainConfig, image: Image, startParameters: ArrayLike<number>, steps: number): Trial {
  const parameters = Float64Array.from(startParameters);
  const firstMoments = new Float64Array(parameters.length);
  const secondMoments = new Float64Array(parameters.length);
  const { gradients, tiled } = computeDerivatives(config, image, parameters);
  for (let t = 1; t <= steps; t++) {
    const current = t === 1 ? gradients : computeDerivatives(config, image, parameters).gradients;
    const divisors = corrections(config.biasCorrection, t);
    updateBlobs(parameters, firstMoments, secondMoments, current, ratesAt(config, t), divisors);
  }
  return { render: draw(tiled), gradients, parameters, intersections: tiled.lists.flat().length };
}

/** Returns the gradients, and what they are the gradients of. */
function computeDerivatives(config: TrainConfig, image: Image, parameters: Float64Array) {
  const tiled = tiledBlobs(config, image, parameters);
  const { blobs, across, model } = tiled;
  tiled.lists = gatherLists(config, tiled);
  const gradients = new Float64Array(parameters.length);
  const limit = gradientLimitOf(model.parameterization);
  for (const [t, list] of tiled.lists.entries()) {
    const { left, top } = tileArea(t, across, config.tile, image);
    // A row for each blob and parameter, with a value for each thread.
    const threads = config.tile[0] * config.tile[1];
    const rows = Array.from({ length: parameterCount * list.length }, () => new Float64Array(threads));
    let thread = 0;
    const observer = {
      pixel(x: number, y: number) {
        thread = (y - top) * config.tile[0] + x - left;
      },
      blob(i: number, _alpha: number, _dAlpha: number, _before: unknown, _d: unknown, gradient: BlobValues) {
        for (const [field, name] of valueNames.entries()) {
          const slope = blobs[i].slope[name];
          rows[list.indexOf(i) * parameterCount + field][thread] = clampGradient(gradient[name] * slope, limit);
        }
      },
    };
    differentiate(tiled, image.data, observer, t, t + 1);
    for (const [row, values] of rows.entries()) {
      const blob = list[Math.floor(row / parameterCount)];
      gradients[(row % parameterCount) * blobs.length + blob] += treeReduce(values);
    }
  }
  return { gradients, tiled };
}

/** Threads append to a list in any order: here some lists are descending and others scattered, which few wrong sorts survive. */
function disorder({ blobs, blobCount }: ShortList): void {
  const isScattered = blobCount > 8 && blobCount % 2 === 1;
  const key = (blob: number) => (isScattered ? Math.imul(blob + 1, 0x9e3779b1) >>> 0 : -blob);
  blobs.subarray(0, blobCount).sort((a, b) => key(a) - key(b));
}

/** Returns the sorted lists of all tiles, window after window. */
function gatherLists(config: TrainConfig, { blobs, uv, across, lists }: TiledBlobs): number[][] {
  const bounds = blobs.map(blobBounds);
  const capacity = Number(config.gaussiansPerBlock);
  return lists.map((_, t) => {
    const tile = tileBounds(tileOrigin(t, across, config.tile), config.tile, uv);
    const windows = passes(bounds, tile, capacity, disorder);
    return Array.from(windows, ({ list }) => [...list.blobs.subarray(0, list.blobCount)]).flat();
  });
}
