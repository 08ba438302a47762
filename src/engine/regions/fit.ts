import { completeConfig, type TrainConfig } from "../config.js";
import { DivergedError } from "../divergence.js";
import type { MetricsRow } from "../files/arrow.js";
import type { Image, Size } from "../image/image.js";
import { stateOf, type TrainingState } from "../model/blobs.js";
import type { Backend } from "../pipeline.js";
import { type Alert, defaultAlertAfter, firstStep, LossWatch } from "../training/alerts.js";
import type { Snapshot } from "../training/snapshot.js";
import { Trainer } from "../training/trainer.js";
import {
  BlobIndex,
  type Box,
  centersIn,
  confineBlobs,
  isWithin,
  joinBlobs,
  ownedBounds,
  pixelBounds,
  supports,
  translated,
} from "./blobs.js";
import { areaOf, type Rect, type Region } from "./plan.js";

/** Options for a region or window. */
export interface FitOptions {
  backend: Backend;
  /** Called with the snapshots of recorded steps and of some others. */
  onSnapshot?: (snapshot: Snapshot) => void;
  recordEvery?: number;
  /** Steps far from the best loss after which it has diverged; as `defaultAlertAfter` if absent. */
  alertAfter?: number;
  onAlert?: (alert: Alert) => void;
  /** If it aborts, the result is of no use. */
  signal?: AbortSignal;
}

/** The blobs in pixels of the whole image, and the recorded steps. */
export interface FitResult {
  parameters: Float32Array;
  rows: MetricsRow[];
  /** Training time. */
  seconds: number;
  /** That it diverged, unless it has recovered. If its loss is not finite, training ended there, and the blobs are of no use. */
  alert?: Alert;
}

/** A region to fit, or a window over seams to refine. */
export type FitTask = { region: Region } | { window: Rect };

/**
 * Fits a region independently of the others, or refines the blobs of a window over seams. In a window, blobs with their
 * support inside it learn, confined to it; those that extend beyond are frozen. So nothing changes outside, except
 * beyond the edges of the image.
 * @param size of the whole image
 * @param image the pixels to learn
 * @param start all blobs that are visible in a window, in order; absent for a region
 * @returns the blobs with a centre in the region, since those in the halo belong to its neighbours; or all of a window
 */
export async function fitTask(
  config: TrainConfig,
  task: FitTask,
  size: Size,
  image: Image,
  start: Float32Array | undefined,
  options: FitOptions,
): Promise<FitResult> {
  if (start?.length === 0) return { parameters: start, rows: [], seconds: 0 };
  const region = "region" in task ? task.region : undefined;
  const { x, y } = "region" in task ? task.region.learned : task.window;
  const bounds = ownedBounds("region" in task ? task.region.bounds : task.window, size);
  const { left, top, right, bottom } = bounds;
  const box = { left: left - x, top: top - y, right: right - x, bottom: bottom - y };
  const isFree = start && Array.from(supports(config, size, start), (support) => isWithin(support, bounds));
  const { state, ...rest } = await fit(config, image, start && stateOf(translated(start, x, y)), options, box, isFree);
  const parameters = translated(state.parameters, -x, -y);
  if (region) {
    const isOwn = centersIn(parameters, ownedBounds(region.own, size));
    // Some may still be inactive, far outside the image.
    const [visible] = new BlobIndex(config, size, [parameters]).indicesIn(pixelBounds(region.learned));
    return { ...rest, parameters: joinBlobs([parameters], [visible.filter((i) => isOwn[i])]) };
  }
  // Moving the origin has rounded the frozen blobs.
  const learned = parameters.map((value, slot) => (isFree![slot % isFree!.length] ? value : start![slot]));
  return { ...rest, parameters: learned };
}

/**
 * Returns the config of a region: its halo gets the same density of blobs as the region itself, and so does half of the
 * margin around it that the blobs may extend to.
 */
export function regionConfig(config: TrainConfig, { own, learned, bounds }: Region, blobs: number): TrainConfig {
  const area = (areaOf(learned) + areaOf(bounds)) / 2;
  return completeConfig({ ...config, blobs: Math.max(1, Math.round((blobs * area) / areaOf(own))) });
}

/**
 * Steps and learning rate of a window, as multiples of those of a region. On four small images the error near seams was
 * 9 % higher with half as many steps, and 3 % higher with twice the rate. Windows are then a third of the work with
 * regions of 4096 pixels per side, and half with 2048.
 */
const [windowSteps, windowRate] = [2, 1 / 2];

/** Returns the config of a window over seams, without density control: its blobs continue. */
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

/** Milliseconds between snapshots besides the recorded ones. */
const interval = 500;

/** How often blobs are confined to their bounds while they learn; in between they recover what this costs. */
const confinements = 8;

/** @param isFree whether each blob learns, within the bounds; the others are frozen. All learn if absent */
async function fit(
  config: TrainConfig,
  image: Image,
  start: TrainingState | undefined,
  { backend, onSnapshot, recordEvery, alertAfter, onAlert, signal }: FitOptions,
  bounds: Box,
  isFree?: readonly boolean[],
) {
  const rows: MetricsRow[] = [];
  const frozen = isFree?.includes(false) && { frozen: Uint8Array.from(isFree, (free) => Number(!free)) };
  const trainer = new Trainer(config, image, backend, start && { ...start, ...frozen });
  const watch = new LossWatch(alertAfter ?? defaultAlertAfter(config.steps));
  let alert: Alert | undefined;
  /** Returns an alert. That a region with little detail makes no progress is none. */
  const check = (row: { step: number; loss: number }) => {
    const next = watch.next(row);
    if (next?.kind === "diverged") alert = next;
    return next && next === alert ? next : undefined;
  };
  // The pipeline stays open between runs.
  const release = trainer.retain();
  const confineEvery = Math.ceil(config.steps / confinements);
  try {
    while (trainer.step < config.steps) {
      const { state, step } = trainer;
      confineBlobs(config, image, state.parameters, bounds, isFree);
      await trainer.load(state);
      const until = Math.min(step + confineEvery, config.steps);
      for await (const snapshot of trainer.run({ until, recordEvery, inspectAt: [firstStep], interval, signal })) {
        const { step, seconds, loss, psnr, gradientNorms, tileLists, recorded } = snapshot;
        const newAlert = recorded || step === firstStep ? check(snapshot) : undefined;
        if (newAlert) onAlert?.(newAlert);
        // After a lost device steps are repeated.
        if (recorded && step > (rows.at(-1)?.step ?? 0)) {
          rows.push({ step, seconds, loss, psnr, gradientNorms, tileLists });
        }
        onSnapshot?.(snapshot);
      }
      // Early stopping or the signal ended the run.
      if (trainer.step < until) break;
    }
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error;
    onAlert?.(error.alert);
    return { state: trainer.state, rows, seconds: trainer.seconds, alert: error.alert };
  } finally {
    await release();
  }
  const { state, seconds } = trainer;
  confineBlobs(config, image, state.parameters, bounds, isFree);
  return { state, rows, seconds, ...(watch.isDiverged && { alert: alert! }) };
}
