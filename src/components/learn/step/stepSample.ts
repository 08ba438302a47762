import type { TrainConfig } from "../../../engine/config.js";
import type { Image } from "../../../engine/image/image.js";
import type { PixelState } from "../../../engine/model/blend.js";
import { type Blob, type BlobValues, decodeAll, valueNames } from "../../../engine/model/blob.js";
import { parameterCount, type TrainingState } from "../../../engine/model/blobs.js";
import { differentiate } from "../../../engine/model/rasterize.js";
import { listsOf, pixelTask, renderOf } from "../../../engine/model/renderTasks.js";
import { blobsOfTile, type TileLists } from "../../../engine/model/tileLists.js";
import { colorAt } from "../../../engine/training/initialState.js";
import { newPixelState } from "../blending/pixelStack.js";

/** A run at one step, as far as a step is computed from it. */
export interface RunState {
  config: TrainConfig;
  image: Image;
  state: TrainingState;
  gradients?: ArrayLike<number>;
}

/** A blob that reaches a pixel: what comes to it there from the front, and what comes back from the loss. */
export interface ReachingBlob {
  index: number;
  blob: Blob;
  alpha: number;
  dAlpha: number;
  /** The pixel before the blob. */
  before: PixelState;
  /** dL/d(C′, T′) right behind it. */
  dAfter: PixelState;
  /** dL/d(decoded values), of this pixel. */
  gradient: BlobValues;
}

/** One blob at one pixel of a run, in float64, as the twin comes by. */
export type StepSample = NonNullable<ReturnType<typeof sampleAt>>;

/** A gradient of nothing. */
export const zeroGradient = () => Object.fromEntries(valueNames.map((name) => [name, 0])) as unknown as BlobValues;

/** The short-lists of a run's tiles. */
function listsAt({ config, image, state }: RunState): TileLists {
  return listsOf(renderOf(config, image), state.parameters);
}

/**
 * Looks at a pixel, and of its blobs at the one whose centre it pulls at most.
 * @returns undefined where no blob is blended into the pixel
 */
export function sampleAt(runState: RunState, pixel: { x: number; y: number }, lists = listsAt(runState)) {
  const { config, image, state } = runState;
  const tile = Math.floor(pixel.y / config.tile[1]) * lists.across + Math.floor(pixel.x / config.tile[0]);
  // To the engine the pixel is a tile of its own.
  const render = renderOf(config, image, image, [1, 1]);
  const { model, uv } = render;
  const pixelIndex = pixel.y * image.width + pixel.x;
  const partWith = (blobs: Uint32Array) => pixelTask(render, pixelIndex, blobs, state.parameters, image.data);
  const candidates = partWith(blobsOfTile(lists, tile));
  const decoded = decodeAll(candidates.parameters, model);
  const last = newPixelState();
  const reaching: ReachingBlob[] = [];
  let dAfter = newPixelState();
  differentiate(candidates, undefined, {
    pixel(_x, _y, state, _error, d) {
      Object.assign(last, state);
      dAfter = { ...d };
    },
    blob(position, alpha, dAlpha, before, d, gradient) {
      const details = { alpha, dAlpha, before: { ...before }, dAfter, gradient: { ...gradient } };
      reaching.unshift({ index: candidates.blobs[position], blob: decoded[position], ...details });
      dAfter = { ...d };
    },
  });
  if (reaching.length === 0) return undefined;
  const pulls = reaching.map(({ blob: { slope }, gradient }) =>
    Math.hypot(gradient.centerX * slope.centerX, gradient.centerY * slope.centerY),
  );
  const place = pulls.indexOf(Math.max(...pulls));
  return {
    ...runState,
    ...reaching[place],
    model,
    pixel,
    u: pixel.x * uv.scaleX + uv.offsetX,
    v: pixel.y * uv.scaleY + uv.offsetY,
    /** Red, green and blue that are wanted there, 0..1. */
    target: colorAt(image, pixelIndex),
    weight: 1 / (image.width * image.height),
    /** The pixel with the blobs that reach it, front to back, and which of them is looked at. */
    part: partWith(Uint32Array.from(reaching, ({ index }) => index)),
    place,
    /** The pixel behind its last blob. */
    last,
  };
}

/** Pixels that are tried for one in which something is to be seen. */
const maxTries = 150;

/**
 * Looks at some pixel where much is to be seen: at a blob that is neither faint nor at its ceiling nor frozen, with
 * others in front of it and behind. If none of those that are tried is so, at the one that comes nearest.
 * @param random gives numbers in [0, 1)
 */
export function takeSample(runState: RunState, random: () => number): StepSample | undefined {
  const { width, height } = runState.image;
  const lists = listsAt(runState);
  let best: StepSample | undefined;
  let bestScore = -1;
  for (let k = 0; k < maxTries && bestScore < 2 * parameterCount + 1; k++) {
    const pixel = { x: Math.floor(random() * width), y: Math.floor(random() * height) };
    const sample = sampleAt(runState, pixel, lists);
    if (!sample) continue;
    const { alpha, blob, part, before, place } = sample;
    const movingCount = valueNames.filter((name) => blob.slope[name] !== 0).length;
    const isVisible = alpha > 0.05 && alpha < 0.9 && before.transmittance > 0.05;
    const isBetween = place > 0 && place < part.blobs.length - 1;
    const score = movingCount + (isVisible ? parameterCount : 0) + (isBetween ? 1 : 0);
    if (score > bestScore) [bestScore, best] = [score, sample];
  }
  return best;
}
