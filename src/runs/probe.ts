import type { TrainConfig } from "../engine/config.js";
import { untilDivergence } from "../engine/divergence.js";
import type { Image } from "../engine/image/image.js";
import type { TrainingState } from "../engine/model/blobs.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import type { Engine } from "../host/node/engine.js";
import { costAt, secondsPerStep } from "./forecast.js";
import type { Job } from "./job.js";

/** Steps that are not measured, since kernels are compiled and workers start. */
const warmUpSteps = 2;

/** Seconds of training after which a short job is recognized, and the duration of a short job in seconds. */
const [firstCheckSeconds, shortSeconds] = [0.3, 10];

/** Milliseconds between two snapshots. */
const interval = 250;

/**
 * Returns the steps per second at the start of a job. The trained state is discarded.
 * @param seconds approximate duration of the measurement
 */
export async function measureStepsPerSecond(
  job: Job,
  engine: Engine,
  signal: AbortSignal,
  seconds: number,
): Promise<number> {
  const probe = new Trainer(job.config, job.image, engine.backend);
  let [step, elapsed] = [0, 0];
  let measuredFrom: { step: number; seconds: number } | undefined;
  const run = probe.run({ interval: 0, until: warmUpSteps + 20, signal });
  for await (const snapshot of untilDivergence(run)) {
    if (!measuredFrom && snapshot.step >= warmUpSteps) measuredFrom = snapshot;
    step = snapshot.step - (measuredFrom?.step ?? 0);
    elapsed = snapshot.seconds - (measuredFrom?.seconds ?? 0);
    if (step > 0 && snapshot.seconds > seconds) break;
  }
  return step / Math.max(elapsed, 1e-6);
}

export interface TimedTraining {
  config: TrainConfig;
  image: Image;
  /** Starting state; the config's initial state if absent. */
  state?: TrainingState | undefined;
  horizon?: number | undefined;
}

/**
 * Returns the estimated seconds of some work, from two seconds of training that are discarded; undefined if it takes
 * only a few seconds.
 * @param work in steps with all blobs active, as in `costAfter`
 */
export async function estimateSeconds(
  { config, image, state, horizon }: TimedTraining,
  work: number,
  { backend, signal }: { backend: Backend; signal: AbortSignal },
): Promise<number | undefined> {
  const probe = new Trainer(config, image, backend, state);
  const start = probe.step;
  const snapshots: { step: number; seconds: number }[] = [];
  for await (const { step, seconds } of untilDivergence(probe.run({ interval, horizon, signal }))) {
    snapshots.push({ step, seconds });
    const stepSeconds = secondsPerStep(snapshots);
    if (stepSeconds !== undefined) return (stepSeconds * work) / costAt(config, step, horizon);
    if (seconds > firstCheckSeconds && (seconds / (step - start)) * work < shortSeconds) return undefined;
  }
  return undefined;
}
