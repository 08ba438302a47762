import { completeConfig, type TrainConfig } from "../config.js";
import type { MetricsRow } from "../files/arrow.js";
import { hold, stateOf, type TrainingState } from "../model/blobs.js";
import type { Image, Size } from "../picture/image.js";
import type { Backend } from "../pipeline.js";
import type { Snapshot } from "../training/snapshot.js";
import { Trainer } from "../training/trainer.js";
import { centredIn, isWithin, moved, PlacedBlobs, pick, placesOf, supports, territoryOf } from "./blobs.js";
import { areaOf, type Rect, type Region } from "./plan.js";

/** What a part of a picture is learned with. */
export interface Learning {
  backend: Backend;
  /** Hears of each step that is recorded, and of others now and then. */
  tell?: (snapshot: Snapshot) => void;
  recordEvery?: number;
  signal?: AbortSignal;
}

/** Blobs, at their places in the whole picture, and what was recorded of their steps. */
export interface Learned {
  parameters: Float32Array;
  rows: MetricsRow[];
  /** Of training. */
  seconds: number;
}

/** The config by which a region is learned: as many blobs for its halo as it has itself, pixel by pixel. */
export function regionConfig(config: TrainConfig, { own, learned }: Region, blobs: number): TrainConfig {
  const withHalo = Math.max(1, Math.round((blobs * areaOf(learned)) / areaOf(own)));
  return completeConfig({ ...config, blobs: withHalo });
}

/**
 * Learns a region by itself.
 * @param size of the whole picture
 * @param image the pixels that it learns, its halo's among them
 * @returns the blobs whose centre is its own, in their order; those of the halo are its neighbours'
 */
export async function learnRegion(
  config: TrainConfig,
  { own, learned }: Region,
  size: Size,
  image: Image,
  learning: Learning,
): Promise<Learned> {
  const { state, ...rest } = await learn(config, image, undefined, learning);
  const parameters = moved(state.parameters, -learned.x, -learned.y);
  const isOwn = centredIn(parameters, territoryOf(own, size));
  // Some may wait to be placed yet, far from the picture.
  const seen = new PlacedBlobs(config, size, parameters).meeting(placesOf(learned));
  return {
    ...rest,
    parameters: pick(
      parameters,
      seen.filter((i) => isOwn[i]),
    ),
  };
}

/** Shares of a region's steps and of its learning rate with which a window over seams is learned. */
const [windowSteps, windowRate] = [1 / 4, 1 / 4];

/** The config by which a window over seams is learned: its blobs go on, and none is added or put elsewhere. */
export function windowConfig(config: TrainConfig, blobs: number): TrainConfig {
  return completeConfig({
    ...config,
    blobs,
    steps: Math.max(1, Math.round(windowSteps * config.steps)),
    learningRate: windowRate * config.learningRate,
    startShare: 1,
    growEvery: 0,
    plateau: 0,
  });
}

/**
 * Lets blobs go on learning a window over seams. Those whose support lies within the window learn; those that reach out of
 * it stay as they are, so that nothing changes beyond it. Where the picture ends nothing lies beyond.
 * @param parameters all blobs that can be seen in the window, in their order
 * @param size of the whole picture
 * @returns the same blobs in the same order
 */
export async function learnWindow(
  config: TrainConfig,
  window: Rect,
  size: Size,
  parameters: Float32Array,
  image: Image,
  learning: Learning,
): Promise<Learned> {
  const state = stateOf(moved(parameters, window.x, window.y));
  const { blobs } = config;
  const held: number[] = [];
  const open = territoryOf(window, size);
  let blob = 0;
  for (const support of supports(config, size, parameters)) {
    if (!isWithin(support, open)) held.push(blob);
    blob++;
  }
  for (const i of held) hold(state, i);
  const { state: ended, ...rest } = await learn(config, image, state, learning);
  const learned = moved(ended.parameters, -window.x, -window.y);
  for (const i of held) {
    for (let slot = i; slot < learned.length; slot += blobs) learned[slot] = parameters[slot];
  }
  return { ...rest, parameters: learned };
}

/** Milliseconds between two snapshots besides those that are recorded. */
const interval = 500;

async function learn(
  config: TrainConfig,
  image: Image,
  start: TrainingState | undefined,
  { backend, tell, recordEvery, signal }: Learning,
) {
  const trainer = new Trainer(config, image, backend, start);
  const rows: MetricsRow[] = [];
  for await (const snapshot of trainer.run({ recordEvery, interval, signal })) {
    const { step, seconds, loss, psnr, gradientNorms, shortLists, recorded } = snapshot;
    if (!Number.isFinite(loss)) throw new Error(`The loss is ${loss} at step ${step}, so the run was given up.`);
    // After a lost device steps come again.
    if (recorded && step > (rows.at(-1)?.step ?? 0))
      rows.push({ step, seconds, loss, psnr, gradientNorms, shortLists });
    tell?.(snapshot);
  }
  return { state: trainer.state, rows, seconds: trainer.seconds };
}
