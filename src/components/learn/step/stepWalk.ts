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
import { cellOfTile, tileBounds, tileOrigin } from "../../../engine/model/uv.js";
import { colorAt } from "../../../engine/training/initialState.js";
import type { StepSample } from "../gradients/stepSample.js";

/** A pixel of the tile with the values that its thread computes in a step. */
export type WalkedPixel = StepWalk["pixels"][number];

/** One training step of one tile, and of one raw parameter of one blob. */
export type StepWalk = ReturnType<typeof walkStep>;

/**
 * Computes the next step of a run, stage by stage, with the CPU references.
 * @param sample with the run's gradients
 */
export function walkStep(sample: StepSample) {
  const { config, image, state, model, tile, index: blob, gradients = [] } = sample;
  const { tile: size } = config;
  const gaussiansPerBlock = listCapacity(config);
  const { parameters, firstMoments, secondMoments } = state;
  const render = renderOf(config, image);
  const lists = listsOf(render, parameters);
  const { column, row } = cellOfTile(lists, tile);

  const bounds = tileBounds(tileOrigin(tile, lists.across, size), size, render.uv);
  const boxes = Array.from(decodeEach(parameters, model), blobBounds);
  const allPasses = [...passes(boxes, bounds, gaussiansPerBlock)];
  const { start, end } = allPasses[0];
  const filled = coarseRasterize(initShortList(gaussiansPerBlock), boxes, bounds, start, end);
  const gathered = filled.blobs.slice(0, filled.blobCount);
  const list = padBuffer(filled);
  const padded = list.blobs.slice();
  bitonicSort(list);

  // The raw parameter with the largest gradient at this pixel.
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
    // State and dL/d(C, T) are those after the last blob. Contribution (the clamped gradient of the raw parameter, 0 if
    // the blob is not blended) and colour after the step follow below.
    const later = { contribution: 0, next: [] as number[] };
    return { x, y, state: { ...state }, color, target, squaredError, d: { ...d }, ...later };
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
  // Threads outside the image contribute zeros.
  const contributions = new Float32Array(size[0] * size[1]);
  for (const { x, y, contribution } of pixels)
    contributions[(y - size[1] * row) * size[0] + x - size[0] * column] = contribution;
  return {
    config,
    tile,
    column,
    row,
    size,
    /** In the order of the threads, without those outside the image. */
    pixels,
    pixel: pixels.find(({ x, y }) => x === sample.pixel.x && y === sample.pixel.y)!,
    blob,
    field,
    /** The list of the first pass: gathered, padded, sorted, and its number of blobs. */
    gathered,
    padded,
    sorted: list.blobs,
    blobCount: list.blobCount,
    /** The blobs of all passes. */
    listed: blobsOfTile(lists, tile),
    passes: allPasses.length,
    squaredError: pixels.reduce((sum, { squaredError }) => sum + squaredError, 0),
    /** The sum of the contributions in float32, as the workgroup adds them, and in float64. */
    reduced: treeReduce(contributions),
    exact: pixels.reduce((sum, { contribution }) => sum + contribution, 0),
    /** The gradient of the parameter from all tiles. */
    gradient: gradients[slot],
    before: { parameter: parameters[slot], first: firstMoments[slot], second: secondMoments[slot] },
    after: { parameter: next.parameters[slot], first: next.first[slot], second: next.second[slot] },
    rate: rates[field],
  };
}
