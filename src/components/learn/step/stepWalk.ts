import { listCapacity } from "../../../engine/config.js";
import { clampGradient, gradientLimitOf, treeReduce } from "../../../engine/model/accumulate.js";
import { corrections, updateBlobs } from "../../../engine/model/adam.js";
import { compositeChannel, type PixelState } from "../../../engine/model/blend.js";
import { decodeEach, valueNames } from "../../../engine/model/blob.js";
import { parameterCount } from "../../../engine/model/blobs.js";
import { blobBounds } from "../../../engine/model/bounds.js";
import { differentiate, draw } from "../../../engine/model/rasterize.js";
import { ratesAt } from "../../../engine/model/rates.js";
import { listsOf, renderOf, renderTask } from "../../../engine/model/renderTasks.js";
import { bitonicSort, coarseRasterize, initShortList, padBuffer, passes } from "../../../engine/model/shortList.js";
import { blobsOfTile } from "../../../engine/model/tileLists.js";
import { tileBounds, tileOrigin } from "../../../engine/model/uv.js";
import { colorAt } from "../../../engine/training/initialState.js";
import type { StepSample } from "./stepSample.js";

/** A thread of the tile's workgroup, and what it holds in the course of a step. */
export type WalkedPixel = StepWalk["pixels"][number];

/** One training step, as one tile sees it and as one raw parameter of one blob does. */
export type StepWalk = ReturnType<typeof walkStep>;

/**
 * Walks through the step that comes next in a run, by the twins of its stages.
 * @param sample with the run's gradients
 */
export function walkStep(sample: StepSample) {
  const { config, image, state, model, index: blob, gradients = [] } = sample;
  const { tile: size } = config;
  const gaussiansPerBlock = listCapacity(config);
  const { parameters, firstMoments, secondMoments } = state;
  const render = renderOf(config, image);
  const lists = listsOf(render, parameters);
  const [column, row] = [Math.floor(sample.pixel.x / size[0]), Math.floor(sample.pixel.y / size[1])];
  const tile = row * lists.across + column;

  const bounds = tileBounds(tileOrigin(tile, lists.across, size), size, render.uv);
  const boxes = Array.from(decodeEach(parameters, model), blobBounds);
  const allPasses = [...passes(boxes, bounds, gaussiansPerBlock)];
  const { start, end } = allPasses[0];
  const filled = coarseRasterize(initShortList(gaussiansPerBlock), boxes, bounds, start, end);
  const gathered = filled.blobs.slice(0, filled.blobCount);
  const list = padBuffer(filled);
  const padded = list.blobs.slice();
  bitonicSort(list);

  // The raw parameter that this pixel pulls at most.
  const pulls = valueNames.map((name) => Math.abs(sample.gradient[name] * sample.blob.slope[name]));
  const field = pulls.indexOf(Math.max(...pulls));
  const name = valueNames[field];
  const slot = (field * parameters.length) / parameterCount + blob;
  const next = { parameters: parameters.slice(), first: firstMoments.slice(), second: secondMoments.slice() };
  const rates = ratesAt(config, state.step + 1);
  const correction = corrections(config.biasCorrection, state.step + 1);
  updateBlobs(next.parameters, next.first, next.second, Float32Array.from(gradients), rates, correction);

  const tilePart = renderTask(render, lists, parameters, image.data, tile, tile + 1);
  const walkedPixel = (x: number, y: number, state: PixelState, squaredError: number, d: PixelState) => {
    const { red, green, blue, transmittance } = state;
    const color = [red, green, blue].map((channel) => compositeChannel(channel, transmittance, config.background));
    const target: number[] = colorAt(image, y * image.width + x);
    // The state and dL/d(C, T) are those after the last blob. Still to come is its gradient of the raw parameter that is
    // followed, clamped, or 0 where the blob is not blended; and its colour after the step.
    return {
      x,
      y,
      state: { ...state },
      color,
      target,
      squaredError,
      d: { ...d },
      contribution: 0,
      next: [] as number[],
    };
  };
  const pixels: ReturnType<typeof walkedPixel>[] = [];
  differentiate(tilePart, undefined, {
    pixel: (...values) => pixels.push(walkedPixel(...values)),
    blob(position, _alpha, _dAlpha, _before, _d, gradient) {
      if (tilePart.blobs[position] !== blob) return;
      const largest = gradientLimitOf(config.parameterization);
      pixels[pixels.length - 1].contribution = clampGradient(gradient[name] * sample.blob.slope[name], largest);
    },
  });
  const nextLists = listsOf(render, next.parameters);
  const rendered = draw(renderTask(render, nextLists, next.parameters, undefined, tile, tile + 1));
  for (const [k, pixel] of pixels.entries()) pixel.next = [...rendered.subarray(4 * k, 4 * k + 3)];
  // Threads beyond the picture's edge bring zeros.
  const contributions = new Float32Array(size[0] * size[1]);
  for (const { x, y, contribution: part } of pixels)
    contributions[(y - size[1] * row) * size[0] + x - size[0] * column] = part;
  return {
    config,
    tile,
    column,
    row,
    size,
    /** In the order of the threads; those beyond the picture's edge are left out. */
    pixels,
    pixel: pixels.find(({ x, y }) => x === sample.pixel.x && y === sample.pixel.y)!,
    blob,
    field,
    /** The first pass's list as it is gathered, padded and sorted, and how many blobs it holds. */
    gathered,
    padded,
    sorted: list.blobs,
    blobCount: list.blobCount,
    /** Over all passes. */
    listed: blobsOfTile(lists, tile),
    passes: allPasses.length,
    squaredError: pixels.reduce((sum, { squaredError }) => sum + squaredError, 0),
    /** The workgroup's sum of the parts, rounded as float32 is, and in float64. */
    reduced: treeReduce(contributions),
    exact: pixels.reduce((sum, { contribution: part }) => sum + part, 0),
    /** The gradient of the slot that the run has, from all tiles. */
    gradient: gradients[slot],
    before: { parameter: parameters[slot], first: firstMoments[slot], second: secondMoments[slot] },
    after: { parameter: next.parameters[slot], first: next.first[slot], second: next.second[slot] },
    rate: rates[field],
  };
}
