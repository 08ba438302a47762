import { parameterCount } from "../../../engine/blobs.js";
import { clampGradient, largestGradientOf, treeReduce } from "../../../engine/cpu/accumulate.js";
import { corrections, updateBlobs } from "../../../engine/cpu/adam.js";
import {
  attenuationOf,
  compositeChannel,
  lossBackward,
  type PixelState,
  transformPixelState,
} from "../../../engine/cpu/blend.js";
import { alphaOf, decodeAll, decodeEach, evalFalloff, modelOf, valueNames } from "../../../engine/cpu/blob.js";
import { blobBounds } from "../../../engine/cpu/bounds.js";
import { bitonicSort, coarseRasterize, initShortList, padBuffer, passes } from "../../../engine/cpu/shortList.js";
import { calcUV, tileArea, tileBounds, tileGrid, tileOrigin } from "../../../engine/cpu/uv.js";
import { colorAt } from "../../../engine/initialState.js";
import { ratesAt } from "../../../engine/rates.js";
import { newState, type RunMoment, type StepSample, sampleAt } from "./stepSample.js";

/** A thread of the tile's workgroup, and what it holds in the course of a step. */
export interface WalkedPixel {
  x: number;
  y: number;
  /** After the tile's last blob. */
  state: PixelState;
  color: [number, number, number];
  target: [number, number, number];
  /** Over red, green and blue. */
  squaredError: number;
  /** dL/d(C, T) after the last blob. */
  d: PixelState;
  /** Its gradient of the raw parameter that is followed, clamped; 0 where the blob is not blended. */
  part: number;
  /** Its colour after the step. */
  next: [number, number, number];
}

/** A slot of the run's buffers. */
export interface Slot {
  parameter: number;
  first: number;
  second: number;
}

/** One training step, as one tile sees it and as one raw parameter of one blob does. */
export interface StepWalk {
  tile: number;
  column: number;
  row: number;
  size: [number, number];
  /** In the order of the threads; those beyond the picture's edge are left out. */
  pixels: WalkedPixel[];
  /** Which of them is looked at. */
  pixel: number;
  blob: number;
  /** Which raw parameter is followed. */
  field: number;
  /** The first pass's list as it is gathered, padded and sorted, and how many blobs it holds. */
  gathered: Uint32Array;
  padded: Uint32Array;
  sorted: Uint32Array;
  blobCount: number;
  /** Over all passes. */
  listed: Uint32Array;
  passes: number;
  squaredError: number;
  /** The workgroup's sum of the parts, rounded as float32 is, and in float64. */
  reduced: number;
  exact: number;
  /** The gradient of the slot that the run has, from all tiles. */
  gradient: number;
  before: Slot;
  after: Slot;
  rate: number;
  corrections: [number, number];
}

/**
 * Walks through the step that comes next in a run, by the twins of its stages.
 * @param gradients dL/draw at the sample's state, field-major
 */
export function walkStep(sample: StepSample, gradients: ArrayLike<number>): StepWalk {
  const { config, image, state } = sample;
  const model = modelOf(config, image);
  const { gaussiansPerBlock, tile: size } = config;
  const uv = calcUV(image, image);
  const { across } = tileGrid(image, size);
  const column = Math.floor(sample.pixel.x / size[0]);
  const row = Math.floor(sample.pixel.y / size[1]);
  const tile = row * across + column;
  const bounds = tileBounds(tileOrigin(tile, across, size), size, uv);
  const boxesOf = (parameters: ArrayLike<number>) => Array.from(decodeEach(parameters, model), blobBounds);
  const boxes = boxesOf(state.parameters);
  const allPasses = [...passes(boxes, bounds, gaussiansPerBlock)];
  const listed = listOf(allPasses);
  const [window] = allPasses;
  const list = initShortList(gaussiansPerBlock);
  coarseRasterize(list, boxes, bounds, window.start, window.end);
  const gathered = list.blobs.slice(0, list.blobCount);
  padBuffer(list);
  const padded = list.blobs.slice();
  bitonicSort(list.blobs);

  const blob = sample.blobs[sample.place];
  const field = strongest(sample);
  const slot = field * (state.parameters.length / parameterCount) + blob;
  const next = nextState(sample, gradients);
  const nextLists = listOf(passes(boxesOf(next.parameters), bounds, gaussiansPerBlock));
  const nextMoment = { ...sample, state: { ...state, parameters: next.parameters } };
  const drawNext = painter(nextMoment, nextLists);

  const { left, top, right, bottom } = tileArea(tile, across, size, image);
  const pixels: WalkedPixel[] = [];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) pixels.push(walkPixel(sample, listed, { x, y }, blob, field, drawNext));
  }
  // Threads beyond the picture's edge bring zeros.
  const parts = new Float32Array(size[0] * size[1]);
  for (const { x, y, part } of pixels) parts[(y - size[1] * row) * size[0] + x - size[0] * column] = part;
  return {
    tile,
    column,
    row,
    size,
    pixels,
    pixel: pixels.findIndex(({ x, y }) => x === sample.pixel.x && y === sample.pixel.y),
    blob,
    field,
    gathered,
    padded,
    sorted: list.blobs,
    blobCount: list.blobCount,
    listed,
    passes: allPasses.length,
    squaredError: pixels.reduce((sum, { squaredError }) => sum + squaredError, 0),
    reduced: treeReduce(parts),
    exact: pixels.reduce((sum, { part }) => sum + part, 0),
    gradient: gradients[slot],
    before: { parameter: state.parameters[slot], first: state.firstMoments[slot], second: state.secondMoments[slot] },
    after: { parameter: next.parameters[slot], first: next.first[slot], second: next.second[slot] },
    rate: ratesAt(config, state.step + 1)[field],
    corrections: corrections(config.biasCorrection, state.step + 1),
  };
}

function listOf(lists: Iterable<{ list: { blobs: Uint32Array; blobCount: number } }>): Uint32Array {
  return Uint32Array.from([...lists].flatMap(({ list }) => [...list.blobs.subarray(0, list.blobCount)]));
}

/** The raw parameter of the sample's blob that this pixel pulls at most. */
function strongest({ gradient, blob }: StepSample): number {
  const pulls = valueNames.map((name) => Math.abs(gradient[name] * blob.slope[name]));
  return pulls.indexOf(Math.max(...pulls));
}

/** All raw parameters and moments after Adam's step. */
function nextState({ config, state }: RunMoment, gradients: ArrayLike<number>) {
  const parameters = state.parameters.slice();
  const first = state.firstMoments.slice();
  const second = state.secondMoments.slice();
  const step = state.step + 1;
  const correction = corrections(config.biasCorrection, step);
  updateBlobs(parameters, first, second, Float32Array.from(gradients), ratesAt(config, step), correction);
  return { parameters, first, second };
}

/** Draws single pixels with a list of blobs. */
function painter({ config, image, state }: RunMoment, listed: Uint32Array) {
  const all = state.parameters.length / parameterCount;
  const own = new Float64Array(parameterCount * listed.length);
  for (let field = 0; field < parameterCount; field++) {
    for (const [place, blob] of listed.entries())
      own[field * listed.length + place] = state.parameters[field * all + blob];
  }
  const blobs = decodeAll(own, modelOf(config, image));
  const attenuation = attenuationOf(config.blend);
  const uv = calcUV(image, image);
  return (x: number, y: number) => {
    const pixel = newState();
    for (const blob of blobs) {
      const falloff = evalFalloff(blob, x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY);
      if (!transformPixelState(pixel, blob, alphaOf(blob, falloff), attenuation)) break;
    }
    return colorOf(pixel, config.composite);
  };
}

function colorOf({ red, green, blue, transmittance }: PixelState, composite: RunMoment["config"]["composite"]) {
  return [red, green, blue].map((channel) =>
    compositeChannel(channel, transmittance, composite),
  ) as WalkedPixel["color"];
}

function walkPixel(
  moment: RunMoment,
  listed: Uint32Array,
  { x, y }: { x: number; y: number },
  blob: number,
  field: number,
  drawNext: (x: number, y: number) => WalkedPixel["color"],
): WalkedPixel {
  const { config, image } = moment;
  const sample = sampleAt(moment, { x, y }, blob, listed);
  // A pixel that the blob does not touch is looked at as well, through another of its blobs.
  const state = (sample ?? sampleAt(moment, { x, y }, undefined, listed))?.last ?? newState();
  const target = colorAt(image, y * image.width + x);
  const name = valueNames[field];
  const d = newState();
  const squaredError = lossBackward(state, target, config.composite, 1 / (image.width * image.height), d);
  return {
    x,
    y,
    state,
    color: colorOf(state, config.composite),
    target,
    squaredError,
    d,
    part: sample
      ? clampGradient(sample.gradient[name] * sample.blob.slope[name], largestGradientOf(config.parameterization))
      : 0,
    next: drawNext(x, y),
  };
}
