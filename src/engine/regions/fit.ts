import { completeConfig, type TrainConfig } from "../config.js";
import type { MetricsRow } from "../files/arrow.js";
import type { Image, Size } from "../image/image.js";
import { stateOf, type TrainingState } from "../model/blobs.js";
import type { Backend } from "../pipeline.js";
import type { Snapshot } from "../training/snapshot.js";
import { Trainer } from "../training/trainer.js";
import {
  type Box,
  centersIn,
  confineBlobs,
  IndexedBlobs,
  isWithin,
  ownedBounds,
  pixelBounds,
  selectBlobs,
  supports,
  translated,
} from "./blobs.js";
import { areaOf, type Rect, type Region } from "./plan.js";

/** What a part of a picture is learned with. */
export interface FitOptions {
  backend: Backend;
  /** Hears of each step that is recorded, and of others now and then. */
  onSnapshot?: (snapshot: Snapshot) => void;
  recordEvery?: number;
  signal?: AbortSignal;
  /** What was learned of the part before it was stopped. */
  resumeFrom?: InterruptedFit | undefined;
  /** Given what has been learned of the part where the signal ends it, unless that is nothing. */
  onInterrupt?: (resumeFrom: InterruptedFit) => void;
}

/** A part that was stopped; whoever goes on with it comes to the bits of one that was not. */
export interface InterruptedFit {
  state: TrainingState;
  rows: MetricsRow[];
  /** Of training. */
  seconds: number;
  /** The step at which its blobs were last made to stay within their bounds. */
  boundAt: number;
}

/** Blobs, at their places in the whole picture, and what was recorded of their steps. */
export interface FitResult {
  parameters: Float32Array;
  rows: MetricsRow[];
  /** Of training. */
  seconds: number;
}

/** A part of the work on a picture: a region, or a window over seams. */
export type FitTask = { region: Region } | { window: Rect };

/**
 * Learns a part.
 * @param size of the whole picture
 * @param image the pixels that it learns
 * @param start the blobs to begin with: of a window, as in `fitWindow`; of a region the config's initial ones if absent
 */
export function fitTask(
  config: TrainConfig,
  task: FitTask,
  size: Size,
  image: Image,
  start: Float32Array | undefined,
  options: FitOptions,
): Promise<FitResult> {
  if ("region" in task) return fitRegion(config, task.region, size, image, options, start);
  return fitWindow(config, task.window, size, start!, image, options);
}

/**
 * The config by which a region is learned: as many blobs for its halo as it has itself, pixel by pixel. Some of them go
 * to where they may reach beyond the halo.
 */
export function regionConfig(config: TrainConfig, { own, learned, bounds }: Region, blobs: number): TrainConfig {
  const area = (areaOf(learned) + areaOf(bounds)) / 2;
  return completeConfig({ ...config, blobs: Math.max(1, Math.round((blobs * area) / areaOf(own))) });
}

/**
 * Learns a region by itself.
 * @param size of the whole picture
 * @param image the pixels that it learns, its halo's among them
 * @param start the blobs to begin with, at their places in the image; the config's initial ones if absent
 * @returns the blobs whose centre is its own, in their order; those of the halo are its neighbours'
 */
export async function fitRegion(
  config: TrainConfig,
  { own, learned, bounds }: Region,
  size: Size,
  image: Image,
  options: FitOptions,
  start?: Float32Array,
): Promise<FitResult> {
  const box = relativeTo(ownedBounds(bounds, size), learned);
  const { state, ...rest } = await fit(config, image, start && stateOf(start), options, box, () => true);
  const parameters = translated(state.parameters, -learned.x, -learned.y);
  const isOwn = centersIn(parameters, ownedBounds(own, size));
  // Some may wait to be placed yet, far from the picture.
  const visible = new IndexedBlobs(config, size, parameters).indicesIntersecting(pixelBounds(learned));
  const ownBlobs = visible.filter((i) => isOwn[i]);
  return { ...rest, parameters: selectBlobs(parameters, ownBlobs) };
}

/**
 * How many times a region's steps, and its learning rate, a window over seams is learned with. On four small pictures the
 * error near seams was 9 % higher with half as many steps, and 3 % higher with twice the rate. Of the work on a picture
 * windows are a third so where regions have 4096 pixels a side, and half where they have 2048.
 */
const [windowSteps, windowRate] = [2, 1 / 2];

/** The config by which a window over seams is learned: its blobs go on, and none is added or put elsewhere. */
export function windowConfig(config: TrainConfig, blobs: number): TrainConfig {
  return completeConfig({
    ...config,
    blobs: Math.max(1, blobs),
    steps: Math.max(1, Math.round(windowSteps * config.steps)),
    learningRate: windowRate * config.learningRate,
    startShare: 1,
    growEvery: 0,
    plateau: 0,
  });
}

/**
 * Lets blobs go on learning a window over seams. Those whose support lies within the window learn, and stay within it;
 * those that reach out of it stay as they are. So nothing changes beyond it. Where the picture ends nothing lies beyond.
 * @param parameters all blobs that can be seen in the window, in their order
 * @param size of the whole picture
 * @returns the same blobs in the same order
 */
export async function fitWindow(
  config: TrainConfig,
  window: Rect,
  size: Size,
  parameters: Float32Array,
  image: Image,
  options: FitOptions,
): Promise<FitResult> {
  if (parameters.length === 0) return { parameters, rows: [], seconds: 0 };
  const open = ownedBounds(window, size);
  const isFree = Array.from(supports(config, size, parameters), (support) => isWithin(support, open));
  const start = stateOf(translated(parameters, window.x, window.y));
  const { state, ...rest } = await fit(config, image, start, options, relativeTo(open, window), (i) => isFree[i]);
  const learned = translated(state.parameters, -window.x, -window.y);
  for (const [i, free] of isFree.entries()) {
    if (free) continue;
    for (let slot = i; slot < learned.length; slot += isFree.length) learned[slot] = parameters[slot];
  }
  return { ...rest, parameters: learned };
}

/** A box as it is seen from a place. */
function relativeTo({ left, top, right, bottom }: Box, { x, y }: { x: number; y: number }): Box {
  return { left: left - x, top: top - y, right: right - x, bottom: bottom - y };
}

/** Milliseconds between two snapshots besides those that are recorded. */
const interval = 500;

/** How often blobs are made to stay within their bounds while they learn, and when at last: what they have lost they learn anew. */
const confinements = 8;

/** @param bounds what the blobs have to stay within that `isBound` names; the others are frozen */
async function fit(
  config: TrainConfig,
  image: Image,
  start: TrainingState | undefined,
  { backend, onSnapshot, recordEvery, signal, resumeFrom, onInterrupt }: FitOptions,
  bounds: Box,
  isBound: (i: number) => boolean,
) {
  const rows = [...(resumeFrom?.rows ?? [])];
  const frozen = Uint8Array.from({ length: config.blobs }, (_, i) => Number(!isBound(i)));
  const from = resumeFrom?.state ?? start;
  const trainer = new Trainer(config, image, backend, from && frozen.includes(1) ? { ...from, frozen } : from);
  trainer.seconds = resumeFrom?.seconds ?? 0;
  let boundAt = resumeFrom?.boundAt;
  // What computes is opened once.
  const release = trainer.retain();
  const confineEvery = Math.ceil(config.steps / confinements);
  try {
    while (trainer.step < config.steps && !signal?.aborted) {
      const { state, step } = trainer;
      if (step % confineEvery === 0 && step !== boundAt) {
        confineBlobs(config, image, state.parameters, bounds, isBound);
        await trainer.load(state);
        boundAt = step;
      }
      const until = Math.min(step - (step % confineEvery) + confineEvery, config.steps);
      for await (const snapshot of trainer.run({ until, recordEvery, interval, signal })) {
        const { step, seconds, loss, psnr, gradientNorms, tileLists, recorded } = snapshot;
        if (!Number.isFinite(loss)) throw new Error(`The loss is ${loss} at step ${step}, so the run was given up.`);
        // After a lost device steps come again.
        if (recorded && step > (rows.at(-1)?.step ?? 0)) {
          rows.push({ step, seconds, loss, psnr, gradientNorms, tileLists });
        }
        onSnapshot?.(snapshot);
      }
      // A plateau ends it before, as does the signal.
      if (trainer.step < until) break;
    }
  } finally {
    await release();
  }
  const { state, seconds } = trainer;
  if (signal?.aborted) {
    if (state.step > 0) onInterrupt?.({ state, rows, seconds, boundAt: boundAt! });
    return { state, rows, seconds };
  }
  confineBlobs(config, image, state.parameters, bounds, isBound);
  return { state, rows, seconds };
}
