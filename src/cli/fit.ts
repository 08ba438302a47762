import { resolve } from "node:path";
import { ConfigError } from "../engine/config.js";
import { maxPixels } from "../engine/image/image.js";
import { reducedSize } from "../engine/image/reduce.js";
import { areaOf } from "../engine/regions/plan.js";
import type { Engine } from "../host/node/engine.js";
import { stdin } from "../host/node/imageFile.js";
import { acquireFolder, claimFolder, isFolder } from "../runs/claimFolder.js";
import { describeJob, type Job } from "../runs/job.js";
import { sizeInFile } from "../runs/readTarget.js";
import type { JobObservers } from "../runs/runJob.js";
import { toFailure, usageFailure } from "../terminal/failure.js";
import { interruptible } from "../terminal/interrupt.js";
import { type Progress, showLine, showProgress } from "../terminal/progress.js";
import { withConfigFile } from "./configFile.js";
import { farmOf } from "./farmOptions.js";
import { type FitOptions, jobOf, outFolderOf } from "./fitOptions.js";
import { FitOutput } from "./fitOutput.js";
import { printResult } from "./fitResult.js";

export async function fit(path: string | undefined, options: FitOptions): Promise<void> {
  const settings =
    options.resume === undefined ? await withConfigFile(options, options.seconds ? ["steps"] : []) : options;
  const exitCode = await fitImage(path, settings, new FitOutput(settings));
  // An error of stdout may have set it.
  if (exitCode !== 0) process.exitCode = exitCode;
}

/** Fits an image, and returns the exit code. */
async function fitImage(path: string | undefined, options: FitOptions, output: FitOutput): Promise<number> {
  if (await wantsRegions(path, options)) return fitByRegions(path, options, output);
  const fitted = await fitWholeImage(path, options, output);
  if (typeof fitted === "number") return fitted;
  // A pipe cannot be read again.
  if (path === stdin) throw fitted;
  if (!options.quiet) showLine(`${toFailure(fitted).message} Fitting it in regions instead.`);
  return fitByRegions(path, options, output);
}

/**
 * Returns whether a command line asks for regions: by an option, by an image with too many pixels to read at once, or by
 * resuming a run that has regions.
 */
async function wantsRegions(path: string | undefined, options: FitOptions): Promise<boolean> {
  const { regions, regionSize, resume, longest = Number.POSITIVE_INFINITY } = options;
  const asksForRegions = regions === true || regionSize !== undefined;
  if (resume !== undefined) {
    const { openRunFolder } = await import("../runs/runFolder.js");
    // Resuming the run reports what is wrong with it.
    const previous = await openRunFolder(resume).catch(() => undefined);
    const hasRegions = previous?.description.regions !== undefined;
    if (previous && asksForRegions && !hasRegions) throw usageFailure(`${resume} was not fitted in regions.`);
    return hasRegions;
  }
  if (asksForRegions || path === undefined) return asksForRegions;
  const size = await sizeInFile(path);
  return size !== undefined && areaOf(reducedSize(size, longest)) > maxPixels;
}

async function fitByRegions(path: string | undefined, options: FitOptions, output: FitOutput): Promise<number> {
  const { fitRegions } = await import("./fitRegions.js");
  return fitRegions(path, options, output);
}

/** Returns the exit code, or why the engine cannot hold the image, if it can be fitted in regions instead. */
async function fitWholeImage(
  path: string | undefined,
  options: FitOptions,
  output: FitOutput,
): Promise<number | ConfigError> {
  const farm = farmOf(options);
  const out = outFolderOf(path, options);
  const isInPlace = options.resume !== undefined && resolve(options.resume) === resolve(out);
  // The resumed run must not change while it is read.
  await using resumedLock = isInPlace && (await isFolder(out)) ? await acquireFolder(out) : undefined;
  using interrupt = interruptible();
  const job = await jobOf(path, options, interrupt.signal);
  await using _lock = resumedLock ? undefined : await claimFolder(out);
  if (job.note !== undefined && !options.quiet) showLine(job.note);
  const { Engines } = await import("../runs/engines.js");
  using engines = new Engines(options.quiet);
  const engine = await engines.engineFor(job.config.pipeline);
  const config = engine.adaptConfig(job.config);
  const refusal = sizeError({ ...job, config }, engine);
  if (refusal) return refusal;
  if (farm) throw usageFailure("--workers and --redis need --regions: each worker fits one region at a time.");
  return await train({ ...job, config }, engine, options, output, interrupt.signal);
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

/** Trains a job, prints its result, and returns the exit code. */
async function train(
  job: Job,
  engine: Engine,
  options: FitOptions,
  output: FitOutput,
  signal: AbortSignal,
): Promise<number> {
  const { runJob } = await import("../runs/runJob.js");
  if (job.goal?.kind !== "seconds") engine.backend.check(job.config, job.image);
  const { out, goal, resumedFrom } = job;
  if (!options.quiet) showLine(`Training on ${engine.backend.description}: ${describeJob(job)}`);
  const isSlow = (job.config.pipeline === "cpu" || engine.isSoftware) && goal?.kind !== "seconds" && !resumedFrom;
  const observers: JobObservers = {
    showProgress: options.quiet ? undefined : isSlow ? (span) => withAdvice(showProgress(span), job) : showProgress,
    onRow: (row) => output.line("step", { out, blobs: job.config.blobs, ...row }),
    onAlert: (alert) => output.alert({ out, image: job.imageName }, alert),
  };
  const { description, diverged } = await runJob(job, engine, observers, signal);
  return printResult(out, description, diverged, output, signal);
}

/** Returns a progress that suggests a quick run once if the first steps show that the job takes more than five minutes. */
function withAdvice(progress: Progress, { config }: Job): Progress {
  let isOver = false;
  return {
    update(snapshot) {
      progress.update(snapshot);
      // Code is compiled during the first second.
      if (isOver || snapshot.seconds < 2) return;
      isOver = true;
      const secondsLeft = (config.steps - snapshot.step) / snapshot.stepsPerSecond;
      if (secondsLeft > 300) showLine("For a quick run, use --seconds 60 or --longest 128.");
    },
    stop: () => progress.stop(),
  };
}
