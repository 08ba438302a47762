import type { TrainConfig } from "../engine/config.js";
import { DivergedError } from "../engine/divergence.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { type Alert, defaultAlertAfter, firstStep, LossWatch } from "../engine/training/alerts.js";
import { filmSteps } from "../engine/training/film.js";
import { Trainer } from "../engine/training/trainer.js";
import type { Engine } from "../host/node/engine.js";
import { Failure } from "../terminal/failure.js";
import { formatCount, psnrText } from "../terminal/formatCount.js";
import { stoppedExitCode } from "../terminal/interrupt.js";
import { noProgress, type Progress, type Span } from "../terminal/progress.js";
import type { Job } from "./job.js";

/** Observers of a job. */
export interface JobObservers {
  /** Reports the progress of the run. */
  showProgress?: (span: Span) => Progress;
  /** Called for each row of metrics.arrow. */
  onRow?: (row: MetricsRow) => void;
  onAlert?: (alert: Alert) => void;
}

interface SavedRun {
  description: RunDescription;
  /** Whether the loss is far above its best at the end. */
  diverged: boolean;
}

/** Milliseconds between two snapshots that are not recorded. */
const interval = 250;

/** How often a run is compared with the PSNR at which it ends. */
const psnrChecks = 100;

/**
 * Trains a job and saves the run. During training the folder has the last checkpoint.
 * @param signal stops training; the run is saved
 */
export async function runJob(
  job: Job,
  engine: Engine,
  { showProgress, onRow, onAlert }: JobObservers,
  signal: AbortSignal,
): Promise<SavedRun> {
  const { config, image, resumedFrom: before, goal, recordEvery, recordGradientsEvery } = job;
  const trainer = new Trainer(config, image, engine.backend, before?.state);
  trainer.seconds = before?.seconds ?? 0;
  const seconds = goal?.kind === "seconds" ? goal.value : undefined;
  const psnr = goal?.kind === "psnr" ? goal.value : undefined;
  // Arrow takes half a second to load. A mistyped flag is reported before that.
  const { Recorder } = await import("./recorder.js");
  const recorder = await Recorder.start(job, trainer, engine);
  const release = trainer.retain();
  const watch = new LossWatch(job.alertAfter ?? defaultAlertAfter(config.steps), job.alerts);
  for (const row of before?.metrics ?? []) watch.next(row);
  const report = (alert: Alert | undefined) => {
    if (!alert) return;
    recorder.alert(alert);
    onAlert?.(alert);
  };
  try {
    const span: Span =
      seconds === undefined ? { unit: "step", until: config.steps } : { unit: "seconds", until: seconds };
    const progress = showProgress?.(span) ?? noProgress;
    const checkedSteps = psnr === undefined ? [] : stepsToCheck(config);
    const end = new AbortController();
    try {
      await recorder.film(trainer.step);
      const runOptions = {
        recordEvery,
        recordGradientsEvery,
        inspectAt: [firstStep, ...filmSteps, ...checkedSteps].sort((a, b) => a - b),
        interval,
        signal: AbortSignal.any([signal, end.signal]),
        horizon: job.horizon,
        seconds,
      };
      for await (const snapshot of trainer.run(runOptions)) {
        const { step } = snapshot;
        const row = await recorder.record(snapshot);
        if (row) onRow?.(row);
        if (row || step === firstStep) report(watch.next(snapshot));
        progress.update(snapshot);
        // The PSNR of a snapshot is that before its step, and of colours that are not clamped.
        if (psnr !== undefined && checkedSteps.includes(step) && (await recorder.psnr()) >= psnr) end.abort();
        await recorder.checkpoint(snapshot);
      }
    } finally {
      progress.stop();
    }
    if (signal.aborted && trainer.step === (before?.state.step ?? 0)) {
      throw new Failure("Stopped before the first step. Nothing was saved.", stoppedExitCode(signal));
    }
    const measured = await recorder.finish();
    const { state, result } = measured;
    const reached = !signal.aborted && (psnr === undefined || result.psnr >= psnr);
    if (goal && reached) {
      const goalText = `${goal.value} ${psnr === undefined ? "s" : "dB"}`;
      const sentence = `Goal of ${goalText} reached: ${formatCount(config.blobs)} blobs, PSNR ${psnrText(result.psnr)}.`;
      report({ kind: "goal", step: state.step, loss: result.loss, sentence });
    }
    return { description: await recorder.save(measured, reached), diverged: watch.isDiverged };
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error;
    report(error.alert);
    await trainer.revert();
    await recorder.save(await recorder.finish());
    throw error;
  } finally {
    await recorder.discard();
    await release();
  }
}

function stepsToCheck({ steps }: TrainConfig): number[] {
  const every = Math.ceil(steps / psnrChecks);
  return Array.from({ length: Math.floor(steps / every) }, (_, i) => (i + 1) * every);
}
