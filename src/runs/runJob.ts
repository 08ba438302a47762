import { completeConfig, type TrainConfig } from "../engine/config.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { type Alert, defaultAlertAfter, firstStep, LossWatch } from "../engine/training/alerts.js";
import { filmSteps } from "../engine/training/film.js";
import {
  type Attempt,
  bestAttempt,
  blobsWithin,
  describeGoal,
  type Goal,
  nextBlobs,
  nextForBits,
} from "../engine/training/goal.js";
import { Trainer } from "../engine/training/trainer.js";
import type { Engine } from "../host/node/engine.js";
import { divergedExitCode, Failure } from "../terminal/failure.js";
import { formatCount, psnrText } from "../terminal/formatCount.js";
import { stoppedExitCode } from "../terminal/interrupt.js";
import { noProgress, type Progress, type Span, showLine } from "../terminal/progress.js";
import type { Job } from "./job.js";
import { measureStepsPerSecond } from "./probe.js";
import type { MeasuredRun, Recorder } from "./recorder.js";

/** A finished run that has not been saved. */
interface EndedRun extends Attempt {
  recorder: Recorder;
  measured: MeasuredRun;
  diverged: boolean;
}

/** Observers of a job. */
export interface JobObservers {
  /** Reports the progress of each run. */
  showProgress?: (span: Span) => Progress;
  /** Called for each row of metrics.arrow. */
  onRow?: (row: MetricsRow, config: TrainConfig) => void;
  onAlert?: (alert: Alert) => void;
}

interface SavedRun {
  description: RunDescription;
  /** Whether the loss is far above its best at the end. */
  diverged: boolean;
}

/**
 * Trains a job, with several numbers of blobs if its goal is a search, and saves the best run. During training the
 * folder has the last checkpoint of the first run, then the best run so far.
 * @param signal stops training; the current run is saved
 */
export async function runJob(
  job: Job,
  engine: Engine,
  observers: JobObservers,
  signal: AbortSignal,
): Promise<SavedRun> {
  const { goal } = job;
  const attempts: EndedRun[] = [];
  let best: EndedRun | undefined;
  let pendingError: unknown;
  try {
    let blobs: number | undefined = await firstBlobs(job, engine, signal);
    while (blobs !== undefined) {
      if (observers.showProgress && goal && goal.kind !== "seconds") showLine(blobsText(blobs));
      let endedRun: EndedRun;
      try {
        endedRun = await runOnce(withBlobs(job, blobs), engine, observers, signal, attempts.length);
      } catch (error) {
        // Earlier runs are saved even if a later one fails.
        if (!best) throw error;
        pendingError = error;
        break;
      }
      attempts.push(endedRun);
      best = bestOf(attempts, goal);
      for (const { recorder } of attempts) if (recorder !== best.recorder) await recorder.discard();
      // A stopped run is no result for its number of blobs.
      if (signal.aborted && endedRun !== best) attempts.pop();
      blobs = signal.aborted || !goal ? undefined : nextBlobs(allAttempts(job, attempts), goal, job.image);
      // The best run so far is saved before the next attempt.
      if (blobs !== undefined && best === endedRun) await saveRun(best, attempts, job, signal);
    }
    const saved = await saveRun(best!, attempts, job, signal, observers.onAlert);
    if (pendingError && !signal.aborted) throw pendingError;
    return saved;
  } finally {
    for (const { recorder } of attempts) await recorder.discard();
  }
}

/** Returns the attempts so far, starting with those of the resumed command. */
function allAttempts(job: Job, attempts: EndedRun[]): Attempt[] {
  return [...(job.attempts ?? []), ...attempts.map(({ blobs, psnr, bitsPerPixel }) => ({ blobs, psnr, bitsPerPixel }))];
}

async function saveRun(
  best: EndedRun,
  attempts: EndedRun[],
  job: Job,
  signal: AbortSignal,
  /** Absent while the search continues. */
  onAlert?: JobObservers["onAlert"],
): Promise<SavedRun> {
  const { recorder, diverged } = best;
  const { goal } = job;
  if (!goal) return { description: await recorder.save(best.measured), diverged };
  if (goal.kind === "bitsPerPixel") best.measured = await recorder.withSmallerFile(best.measured, goal.value);
  const { state, result } = best.measured;
  const { loss, psnr, file } = result;
  const meetsGoal = { psnr: psnr >= goal.value, seconds: true, bitsPerPixel: file.bitsPerPixel <= goal.value };
  const goalResult = { ...goal, reached: meetsGoal[goal.kind] && !signal.aborted };
  if (goalResult.reached && onAlert) {
    const sentence = `Goal of ${describeGoal(goal)} reached: ${blobsText(best.blobs)}, PSNR ${psnrText(psnr)}.`;
    const alert: Alert = { kind: "goal", step: state.step, loss, sentence };
    recorder.alert(alert);
    onAlert(alert);
  }
  const isSearch = goal.kind !== "seconds";
  const description = await recorder.save(best.measured, {
    goal: goalResult,
    ...(isSearch && { attempts: allAttempts(job, attempts) }),
  });
  return { description, diverged };
}

function blobsText(blobs: number): string {
  return `${formatCount(blobs)} ${blobs === 1 ? "blob" : "blobs"}`;
}

function withBlobs(job: Job, blobs: number): Job {
  if (blobs === job.config.blobs) return job;
  const config = completeConfig({ ...job.config, blobs, covarianceScale: undefined });
  return { ...job, config, resumedFrom: undefined, horizon: undefined, earlier: undefined, alerts: undefined };
}

/** Returns the best run for a goal; the last run if the goal has no preference. */
function bestOf(attempts: EndedRun[], goal: Goal | undefined): EndedRun {
  if (goal?.kind === "psnr") return bestAttempt(attempts, goal.value);
  if (goal?.kind !== "bitsPerPixel") return attempts.at(-1)!;
  const fitting = attempts.filter(({ bitsPerPixel }) => bitsPerPixel <= goal.value);
  return fitting.length > 0 ? bestAttempt(fitting, Number.POSITIVE_INFINITY) : attempts.at(-1)!;
}

/** Returns the number of blobs of the first run. */
async function firstBlobs(job: Job, engine: Engine, signal: AbortSignal): Promise<number> {
  const { config, goal, image, choosesBlobs, resumedFrom: before } = job;
  if (before) return config.blobs;
  if (goal?.kind === "bitsPerPixel") return nextForBits([], goal.value, image.width * image.height)!;
  if (goal?.kind !== "seconds" || !choosesBlobs) return config.blobs;
  return blobsWithin(
    config.blobs,
    goal.value,
    await measureStepsPerSecond(job, engine, signal, probeFraction * goal.value),
  );
}

/** Milliseconds between two snapshots that are not recorded. */
const interval = 250;

/** Fraction of a run's seconds that is spent on measuring the speed. */
const probeFraction = 0.1;

async function runOnce(
  job: Job,
  engine: Engine,
  { showProgress, onRow, onAlert }: JobObservers,
  signal: AbortSignal,
  attempt: number,
): Promise<EndedRun> {
  const { config, image, resumedFrom: before, goal, recordEvery, recordGradientsEvery, pauseAt } = job;
  const trainer = new Trainer(config, image, engine.backend, before?.state);
  trainer.seconds = before?.seconds ?? 0;
  const seconds = goal?.kind === "seconds" ? goal.value : undefined;
  // Arrow takes half a second to load. A mistyped flag is reported before that.
  const { Recorder } = await import("./recorder.js");
  const recorder = await Recorder.start(job, trainer, engine, attempt);
  const release = trainer.retain();
  const watch = new LossWatch(job.alertAfter ?? defaultAlertAfter(config.steps), job.alerts);
  for (const row of before?.metrics ?? []) watch.next(row);
  const report = (alert: Alert) => {
    recorder.alert(alert);
    onAlert?.(alert);
  };
  try {
    const span: Span =
      seconds === undefined
        ? { unit: "step", from: trainer.step, until: pauseAt ?? config.steps }
        : { unit: "seconds", from: 0, until: seconds };
    const progress = showProgress?.(span) ?? noProgress;
    const pause = new AbortController();
    try {
      await recorder.film(trainer.step);
      const snapshotOptions = {
        recordEvery,
        recordGradientsEvery,
        inspectAt: [firstStep, ...filmSteps, ...(pauseAt === undefined ? [] : [pauseAt])].sort((a, b) => a - b),
        interval,
        signal: AbortSignal.any([signal, pause.signal]),
      };
      for await (const snapshot of trainer.run({ ...snapshotOptions, horizon: job.horizon, seconds })) {
        const { step, loss } = snapshot;
        if (!Number.isFinite(loss)) {
          const alert = watch.next(snapshot);
          if (alert) report(alert);
          if (attempt === 0) await saveFinite(trainer, recorder);
          const reason = `The loss is ${loss} at step ${step}, so the run was stopped.`;
          throw new Failure(`${reason} Try a lower --learning-rate.`, divergedExitCode);
        }
        const row = await recorder.record(snapshot);
        if (row) onRow?.(row, config);
        const alert = row || step === firstStep ? watch.next(snapshot) : undefined;
        if (alert) report(alert);
        progress.update(snapshot);
        // As if it were stopped, so that it resumes to the same bits.
        if (step === pauseAt) pause.abort();
        if (attempt === 0) await recorder.checkpoint(snapshot);
      }
    } finally {
      progress.stop();
    }
    if (signal.aborted && trainer.step === (before?.state.step ?? 0)) {
      throw new Failure("Stopped before the first step. Nothing was saved.", stoppedExitCode(signal));
    }
    const measured = await recorder.finish();
    const { psnr, file } = measured.result;
    const { bitsPerPixel } = file;
    return { blobs: config.blobs, psnr, bitsPerPixel, recorder, measured, diverged: watch.isDiverged };
  } catch (error) {
    await recorder.discard();
    throw error;
  } finally {
    await release();
  }
}

/** Saves the last state of a run that was read back, unless it has a value that is not finite. */
async function saveFinite(trainer: Trainer, recorder: Recorder): Promise<void> {
  const { state } = trainer;
  if (!state.parameters.every(Number.isFinite)) return;
  await trainer.load(state);
  await recorder.saveUnfinished();
}
