import { parameterCount, type TrainingState } from "../../../engine/blobs.js";
import type { TrainConfig } from "../../../engine/config.js";
import {
  alphaBlendBackward,
  attenuationOf,
  clearPixelState,
  lossBackward,
  type PixelState,
  transformPixelState,
  undoPixelState,
} from "../../../engine/cpu/blend.js";
import {
  alphaOf,
  type Blob,
  type BlobValues,
  decode,
  decodeAll,
  evalBackward,
  evalFalloff,
  modelOf,
  valueNames,
} from "../../../engine/cpu/blob.js";
import type { Part } from "../../../engine/cpu/parts.js";
import { calcUV } from "../../../engine/cpu/uv.js";
import type { Image } from "../../../engine/image.js";
import { colorAt } from "../../../engine/initialState.js";

/** A run at one step, as far as a step is computed from it. */
export interface RunMoment {
  config: TrainConfig;
  image: Image;
  state: TrainingState;
  /** dL/draw at the state, of the run's own pipeline. */
  gradients?: Float32Array;
}

/** One blob at one pixel of a run, in float64: what comes to it from the front, and what comes back from the loss. */
export interface StepSample extends RunMoment {
  pixel: { x: number; y: number };
  u: number;
  v: number;
  /** Red, green and blue that are wanted there, 0..1. */
  target: [number, number, number];
  /** 1/(W·H). */
  weight: number;
  /** The blobs whose support holds the pixel, front to back, by their index in the run. */
  blobs: Uint32Array;
  /** Their raw parameters, field-major. */
  parameters: Float64Array;
  /** Which of them is looked at. */
  place: number;
  blob: Blob;
  falloff: number;
  alpha: number;
  /** The pixel before the blob, behind it, and after the last blob. */
  before: PixelState;
  after: PixelState;
  last: PixelState;
  /** dL/d(C, T) after the last blob, and dL/d(C′, T′) right behind the looked-at one. */
  dLast: PixelState;
  dAfter: PixelState;
  dAlpha: number;
  /** dL/d(decoded values), of this pixel. */
  gradient: BlobValues;
}

/** A state before anything is blended. */
export function newState(): PixelState {
  const state = { red: 0, green: 0, blue: 0, transmittance: 1, finalCount: 0 };
  clearPixelState(state);
  return state;
}

/** A gradient of nothing. */
export function noGradient(): BlobValues {
  return {
    centerX: 0,
    centerY: 0,
    varianceX: 0,
    varianceY: 0,
    correlation: 0,
    red: 0,
    green: 0,
    blue: 0,
    opacity: 0,
  };
}

/**
 * Looks at a pixel, and of its blobs at the one whose raw parameters it pulls at most.
 * @param wanted a blob to look at instead, by its index in the run
 * @param among the blobs that may be there, in ascending order; all if absent
 * @param decoded the run's blobs, where they are decoded already
 * @returns undefined where no blob is blended into the pixel, or not the wanted one
 */
export function sampleAt(
  { config, image, state, gradients }: RunMoment,
  pixel: { x: number; y: number },
  wanted?: number,
  among?: ArrayLike<number>,
  decoded?: readonly Blob[],
): StepSample | undefined {
  const model = modelOf(config, image);
  const attenuation = attenuationOf(config.blend);
  const uv = calcUV(image, image);
  const u = pixel.x * uv.scaleX + uv.offsetX;
  const v = pixel.y * uv.scaleY + uv.offsetY;
  const count = state.parameters.length / parameterCount;
  const found: { index: number; blob: Blob; falloff: number; before: PixelState }[] = [];
  const pixelState = newState();
  for (let k = 0; k < (among?.length ?? count); k++) {
    const index = among ? among[k] : k;
    const blob = decoded?.[index] ?? decode(state.parameters, index, model);
    const falloff = evalFalloff(blob, u, v);
    if (falloff === 0) continue;
    const before = { ...pixelState };
    if (!transformPixelState(pixelState, blob, alphaOf(blob, falloff), attenuation)) break;
    found.push({ index, blob, falloff, before });
  }
  const target = colorAt(image, pixel.y * image.width + pixel.x);
  const weight = 1 / (image.width * image.height);
  const last = { ...pixelState };
  const dLast = newState();
  lossBackward(last, target, config.composite, weight, dLast);
  const d = { ...dLast };
  let best: Pick<StepSample, "place" | "before" | "after" | "dAfter" | "dAlpha" | "gradient"> | undefined;
  let most = -1;
  for (let place = found.length - 1; place >= 0; place--) {
    const { index, blob, falloff, before } = found[place];
    const after = { ...pixelState };
    const alpha = alphaOf(blob, falloff);
    undoPixelState(pixelState, place + 1, blob, alpha, attenuation);
    const dAfter = { ...d };
    const gradient = noGradient();
    const dAlpha = alphaBlendBackward(before, blob, alpha, attenuation, d, gradient);
    evalBackward(blob, u, v, falloff, dAlpha, gradient);
    const pull = Math.hypot(gradient.centerX * blob.slope.centerX, gradient.centerY * blob.slope.centerY);
    if (wanted === undefined ? pull > most : index === wanted) {
      most = pull;
      best = { place, before, after, dAfter, dAlpha, gradient };
    }
  }
  if (!best) return undefined;
  const { blob, falloff } = found[best.place];
  const blobs = Uint32Array.from(found, ({ index }) => index);
  const parameters = new Float64Array(parameterCount * blobs.length);
  for (let field = 0; field < parameterCount; field++) {
    for (const [place, index] of blobs.entries()) {
      parameters[field * blobs.length + place] = state.parameters[field * count + index];
    }
  }
  return {
    config,
    image,
    state,
    ...(gradients && { gradients }),
    pixel,
    u,
    v,
    target,
    weight,
    blobs,
    parameters,
    blob,
    falloff,
    alpha: alphaOf(blob, falloff),
    last,
    dLast,
    ...best,
  };
}

/** Pixels that are tried for one in which something is to be seen. */
const tries = 150;

/**
 * Looks at some pixel where much is to be seen: at a blob that is neither faint nor at its ceiling nor frozen, with
 * others in front of it and behind. If none of those that are tried is so, at the one that comes nearest.
 * @param random gives numbers in [0, 1)
 */
export function takeSample(moment: RunMoment, random: () => number): StepSample | undefined {
  const { width, height } = moment.image;
  const decoded = decodeAll(moment.state.parameters, modelOf(moment.config, moment.image));
  let best: StepSample | undefined;
  let most = -1;
  for (let k = 0; k < tries; k++) {
    const pixel = { x: Math.floor(random() * width), y: Math.floor(random() * height) };
    const sample = sampleAt(moment, pixel, undefined, undefined, decoded);
    if (!sample) continue;
    const { alpha, blob, blobs, before, place } = sample;
    const moving = valueNames.filter((name) => blob.slope[name] !== 0).length;
    const isVisible = alpha > 0.05 && alpha < 0.9 && before.transmittance > 0.05;
    const isBetween = place > 0 && place < blobs.length - 1;
    const told = moving + (isVisible ? parameterCount : 0) + (isBetween ? 1 : 0);
    if (told <= most) continue;
    most = told;
    best = sample;
    if (told === 2 * parameterCount + 1) break;
  }
  return best;
}

/** The one pixel as a part of the picture, for the engine's own passes over it. */
export function onePixel(sample: StepSample, parameters: Float64Array = sample.parameters): Part {
  const { config, image, pixel, blobs } = sample;
  const { width, height } = image;
  const first = pixel.y * width + pixel.x;
  return {
    render: {
      size: { width, height },
      tile: [1, 1],
      across: width,
      uv: calcUV(image, image),
      composite: config.composite,
      model: modelOf(config, image),
    },
    firstTile: first,
    offsets: Uint32Array.of(0, blobs.length),
    list: Uint32Array.from(blobs, (_, place) => place),
    blobs,
    parameters,
    target: image.data.subarray(4 * first, 4 * first + 4),
  };
}
