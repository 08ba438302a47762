import { resolve } from "node:path";
import { ConfigError } from "../engine/config.js";
import { duration } from "../engine/duration.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { describeFileSize } from "../engine/files/splat2d/roundTrip.js";
import type { Engine } from "../host/node/engine.js";
import { acquireFolder, claimFolder, isFolder } from "../runs/claimFolder.js";
import { costAfter, describeEstimate, describeJob, type QuickRun } from "../runs/forecast.js";
import type { Job } from "../runs/job.js";
import { toFailure, usageFailure } from "../terminal/failure.js";
import { formatCount } from "../terminal/formatCount.js";
import { interruptible, stoppedExitCode } from "../terminal/interrupt.js";
import { showLine, showProgress } from "../terminal/progress.js";
import { type FitOptions, jobOf, outFolderOf } from "./fitOptions.js";
import { describeGoal } from "./goalFlags.js";
import { farmOf, type RegionsOptions, wantsRegions } from "./regionsOptions.js";

export async function fit(path: string | undefined, options: RegionsOptions): Promise<void> {
  if (await wantsRegions(path, options)) return fitByRegions(path, options);
  const refusal = await fitWholeImage(path, options, farmOf(options) !== undefined);
  if (!refusal) return;
  if (!options.quiet) process.stderr.write(`${toFailure(refusal).message} Fitting it in regions instead.\n`);
  await fitByRegions(path, options);
}

async function fitByRegions(path: string | undefined, options: RegionsOptions): Promise<void> {
  const { fitRegions } = await import("./fitRegions.js");
  await fitRegions(path, options);
}

/** Returns why the engine cannot hold the image, if it can be fitted in regions instead. */
async function fitWholeImage(
  path: string | undefined,
  options: FitOptions,
  hasWorkers: boolean,
): Promise<ConfigError | undefined> {
  const out = outFolderOf(path, options);
  const isInPlace = options.resume !== undefined && resolve(options.resume) === resolve(out);
  // The resumed run must not change while it is read.
  let release = isInPlace && (await isFolder(out)) ? await acquireFolder(out) : undefined;
  const interrupt = interruptible();
  try {
    const job = await jobOf(path, options, interrupt.signal);
    release ??= await claimFolder(out);
    if (job.note !== undefined && !options.quiet) process.stderr.write(`${job.note}\n`);
    const { Engines } = await import("../runs/engines.js");
    const engines = new Engines(options.quiet);
    try {
      const engine = await engines.engineFor(job.config.pipeline);
      const config = engine.adaptConfig(job.config);
      const refusal = sizeError({ ...job, config }, engine);
      if (refusal) return refusal;
      if (hasWorkers) {
        throw usageFailure("--workers and --redis need --regions: each worker fits one region at a time.");
      }
      await train({ ...job, config }, engine, options, interrupt.signal);
      return undefined;
    } finally {
      engines.close();
    }
  } finally {
    interrupt.release();
    await release?.();
  }
}

/** Returns why the engine cannot hold a job that it could hold region by region. */
function sizeError({ config, image, goal, resumedFrom: before }: Job, { backend }: Engine): ConfigError | undefined {
  if (config.parameterization !== "direct" || goal || before) return undefined;
  try {
    backend.check(config, image);
  } catch (error) {
    if (error instanceof ConfigError && ["image", "blobs"].includes(error.field)) return error;
    throw error;
  }
  return undefined;
}

async function train(job: Job, engine: Engine, options: FitOptions, signal: AbortSignal): Promise<void> {
  const { json, quiet } = options;
  const { runJob } = await import("../runs/runJob.js");
  if (!job.goal) engine.backend.check(job.config, job.image);
  if (!quiet) await announceJob(job, engine, signal);
  const { description, goal } = await runJob(job, engine, quiet ? undefined : showProgress, signal);
  const { out } = job;
  // A Ctrl-C during the last step stops nothing.
  const stopped = signal.aborted && (goal !== undefined || description.step < description.config.steps);
  if (json) process.stdout.write(`${JSON.stringify({ out, ...(stopped && { stopped }), ...description }, null, 2)}\n`);
  else if (!stopped && !quiet) process.stdout.write(`${summary(out, description)}\n`);
  if (stopped && !goal) {
    process.exitCode = stoppedExitCode(signal);
    const progressText = `Stopped at step ${formatCount(description.step)} of ${formatCount(description.config.steps)}`;
    process.stderr.write(`${progressText}. Resume with: splatbook fit --resume ${out}\n`);
  } else if (stopped) {
    process.exitCode = stoppedExitCode(signal);
    const { config, result } = description;
    const bestText = `${formatCount(config.blobs)} blobs, ${psnrText(result.psnr)}`;
    process.stderr.write(`Stopped. The best run so far has ${bestText}. Resume with: splatbook fit --resume ${out}\n`);
  } else if (goal && !goal.reached) {
    process.exitCode = 1;
    process.stderr.write(`The goal of ${describeGoal(goal)} was not reached. ${out} has the closest run.\n`);
  }
}

/** Prints what a job is about to do and, without a GPU, an estimate of its duration. */
async function announceJob(job: Job, engine: Engine, signal: AbortSignal): Promise<void> {
  showLine(`Training on ${engine.backend.description}: ${describeJob(job)}`);
  const { config, image, goal, resumedFrom: before, horizon } = job;
  if (goal?.kind === "seconds" || (config.pipeline !== "cpu" && !engine.isSoftware)) return;
  const { estimateSeconds } = await import("../runs/probe.js");
  const work = costAfter(config, before?.state.step ?? 0, horizon);
  const { backend } = engine;
  const seconds = await estimateSeconds({ config, image, state: before?.state, horizon }, work, { backend, signal });
  if (seconds !== undefined) showLine(describeEstimate(seconds, quickRunOf(job), goal && "run"));
}

/** Returns what a quick run can change about a job; undefined for a run that is resumed. */
function quickRunOf({ config, image, goal, resumedFrom, choosesBlobs, attempts }: Job): QuickRun | undefined {
  if (resumedFrom || attempts) return undefined;
  return { image, blobs: choosesBlobs || goal ? undefined : config.blobs, takesSeconds: !goal };
}

/** Returns a PSNR with its unit; it is infinite if nothing differs. */
function psnrText(psnr: number): string {
  return Number.isFinite(psnr) ? `${psnr.toFixed(2)} dB` : "∞ dB";
}

function summary(out: string, { config, step, timings, result }: RunDescription): string {
  const { psnr, file } = result;
  const fileText = file ? `; ${runFiles.splat2d}: ${describeFileSize(file)}, PSNR ${psnrText(file.psnr)}` : "";
  const blobsText = config.preset === "quality" ? `${formatCount(config.blobs)} blobs, ` : "";
  const stagesText = timings.stageTimes ? `\n${stagesSummary(timings.stageTimes)}` : "";
  return `${out}: ${blobsText}${formatCount(step)} steps in ${duration(timings.seconds)}, PSNR ${psnrText(psnr)}${fileText}${stagesText}`;
}

/** Returns the median times of a step's kernels in words. */
function stagesSummary(times: Record<string, number>): string {
  const stageTexts = Object.entries(times).map(([stage, milliseconds]) => `${stage} ${milliseconds.toPrecision(2)}`);
  return `Milliseconds per kernel: ${stageTexts.join(", ")}`;
}
