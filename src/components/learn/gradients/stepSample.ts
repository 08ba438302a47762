import type { TrainConfig } from "../../../engine/config.js";
import type { Image } from "../../../engine/image/image.js";
import type { PixelState } from "../../../engine/model/blend.js";
import { type Blob, type BlobValues, decodeAll, valueNames } from "../../../engine/model/blob.js";
import type { TrainingState } from "../../../engine/model/blobs.js";
import { differentiate } from "../../../engine/model/rasterize.js";
import { listsOf, pixelTask, renderOf } from "../../../engine/model/renderTasks.js";
import { blobsOfTile, type TileLists } from "../../../engine/model/tileLists.js";
import { tileAtCell } from "../../../engine/model/uv.js";
import { colorAt } from "../../../engine/training/initialState.js";
import { newPixelState } from "../pixelStack.js";

/** What the next step of a run is computed from. */
export interface RunState {
  config: TrainConfig;
  image: Image;
  state: TrainingState;
  gradients?: ArrayLike<number>;
}

/** A blob that is blended into a pixel, with its values in the forward and the backward pass. */
export interface ReachingBlob {
  index: number;
  blob: Blob;
  alpha: number;
  dAlpha: number;
  /** The state of the pixel before the blob. */
  before: PixelState;
  /** dL/d(C′, T′) after the blob. */
  dAfter: PixelState;
  /** dL/d(decoded values) of this pixel. */
  gradient: BlobValues;
}

/** One blob at one pixel of a run, in float64, by the CPU reference. */
export type StepSample = NonNullable<ReturnType<typeof sampleAt>>;

/** Returns a gradient of zeros. */
export const zeroGradient = () => Object.fromEntries(valueNames.map((name) => [name, 0])) as unknown as BlobValues;

function listsAt({ config, image, state }: RunState): TileLists {
  return listsOf(renderOf(config, image), state.parameters);
}

/**
 * Returns whether a blob is a good example: clearly visible at the pixel, partly covered by others, with no parameter that
 * is frozen and an opacity that is not at its end.
 */
export function isTypical({ alpha, blob, before: { transmittance } }: ReachingBlob): boolean {
  const isVisible = alpha > 0.05 && alpha < 0.9 && transmittance > 0.05 && transmittance < 0.95;
  return isVisible && blob.opacity < 0.99 && valueNames.every((name) => blob.slope[name] !== 0);
}

/**
 * Returns a pixel with the blob that has the largest gradient of its centre there, if possible among those that are good
 * examples; undefined if no blob is blended into it.
 */
export function sampleAt(runState: RunState, pixel: { x: number; y: number }, lists = listsAt(runState)) {
  const { config, image, state } = runState;
  const [column, row] = [Math.floor(pixel.x / config.tile[0]), Math.floor(pixel.y / config.tile[1])];
  const tile = tileAtCell(lists, { column, row });
  // For the engine the pixel is a tile.
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
  const hasTypical = reaching.some(isTypical);
  const pulls = reaching.map((each) => {
    const { slope } = each.blob;
    if (hasTypical && !isTypical(each)) return -1;
    return Math.hypot(each.gradient.centerX * slope.centerX, each.gradient.centerY * slope.centerY);
  });
  const place = pulls.indexOf(Math.max(...pulls));
  return {
    ...runState,
    ...reaching[place],
    model,
    tile,
    pixel,
    u: pixel.x * uv.scaleX + uv.offsetX,
    v: pixel.y * uv.scaleY + uv.offsetY,
    /** The target colour, 0..1. */
    target: colorAt(image, pixelIndex),
    weight: 1 / (image.width * image.height),
    /** The pixel with its blobs, front to back, and the index of the chosen one. */
    part: partWith(Uint32Array.from(reaching, ({ index }) => index)),
    place,
    /** The state after the last blob. */
    last,
  };
}

/** The number of pixels that are tried. */
const maxTries = 150;

/**
 * Returns a random sample that is a good example, with other blobs in front of it and behind; or the one of those tried
 * with the fewest frozen parameters. Undefined if no pixel has a blob.
 * @param random returns numbers in [0, 1)
 */
export function takeSample(runState: RunState, random: () => number): StepSample | undefined {
  const { width, height } = runState.image;
  const lists = listsAt(runState);
  let best: StepSample | undefined;
  let bestScore = -1;
  for (let k = 0; k < maxTries; k++) {
    const pixel = { x: Math.floor(random() * width), y: Math.floor(random() * height) };
    const sample = sampleAt(runState, pixel, lists);
    if (!sample) continue;
    if (isTypical(sample) && sample.place < sample.part.blobs.length - 1) return sample;
    const score = valueNames.filter((name) => sample.blob.slope[name] !== 0).length;
    if (score > bestScore) [bestScore, best] = [score, sample];
  }
  return best;
}
