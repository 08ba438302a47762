import { resolve } from "node:path";
import { Command } from "commander";
import { ConfigError } from "../engine/config.js";
import { duration } from "../engine/duration.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { describeSize } from "../engine/files/splat2d/roundTrip.js";
import { usualSide } from "../engine/regions/plan.js";
import type { Engine } from "../host/node/engine.js";
import { claimFolder, holdFolder, isFolder } from "../runs/claimFolder.js";
import { Engines } from "../runs/engines.js";
import { type Job, secondsBetween } from "../runs/job.js";
import { runJob } from "../runs/runJob.js";
import { toFailure, usageFailure } from "../terminal/failure.js";
import { interruptible } from "../terminal/interrupt.js";
import { showProgress } from "../terminal/progress.js";
import { addConfigFlags } from "./configFlags.js";
import { type FitOptions, jobOf, outOf } from "./fitOptions.js";
import type { RegionsOptions } from "./fitRegions.js";
import { addGoalFlags, describeGoal } from "./goalFlags.js";

export function fitCommand(): Command {
  const command = new Command("fit")
    .description("train an image, and write the run as a folder")
    .argument("[image]", "a PNG, JPEG or WebP file; not needed with --resume");
  addConfigFlags(command);
  addGoalFlags(command);
  return command
    .option("--record-every <n>", "steps between two rows of metrics.arrow (default: a thousand rows in all)")
    .option(
      "--record-gradients-every <n>",
      "steps between two records of gradients.arrow (default: the last step only)",
    )
    .option("--checkpoint <s>", `seconds between two checkpoints (default: ${secondsBetween})`)
    .option("--resume <run>", "continue a run that was interrupted, or train it up to a later --steps")
    .option(
      "--resume-schedule <name>",
      "with --resume and --steps: stretch the schedule, or hold the last learning rates (default: stretch)",
    )
    .option("--regions", "fit the image in parts; automatic if it is too large otherwise")
    .option("--region-size <px>", `largest side of a region, in pixels; implies --regions (default: ${usualSide})`)
    .option("--workers <n>", "fit regions in this many processes, each on its own GPU if there are several")
    .option("--redis <url>", "fit regions on the workers of this Redis")
    .option("--runs <folder>", "with --redis: a folder that all machines share and that contains --out, or s3://BUCKET")
    .option("--out <run>", "folder of the run (default: runs/ and the name of the image)")
    .option("--json", "print one JSON object to stdout and nothing else")
    .option("--quiet", "print no progress and no summary")
    .addHelpText(
      "after",
      `
The password of Redis can be in the environment variable SPLATBOOK_REDIS_PASSWORD.

Examples:
  splatbook fit photo.jpg --preset quality
  splatbook fit photo.jpg --preset quality --bits-per-pixel 1
  splatbook fit photo.jpg --blobs 2000 --steps 500 --out runs/photo
  splatbook fit --resume runs/photo --steps 2000
  splatbook fit giga.tif --preset quality --regions
  splatbook fit giga.tif --resume runs/giga
  splatbook fit giga.tif --preset quality --regions --workers 8
  splatbook fit photo.jpg --pipeline cpu --blobs 200 --json --quiet`,
    )
    .action(fit);
}

async function fit(path: string | undefined, options: RegionsOptions): Promise<void> {
  const { farmOf, fitRegions, wantsRegions } = await import("./fitRegions.js");
  if (await wantsRegions(path, options)) return fitRegions(path, options);
  const refused = await fitWhole(path, options, farmOf(options) !== undefined);
  if (!refused) return;
  if (!options.quiet) process.stderr.write(`${toFailure(refused).message} So it is fitted by regions.\n`);
  await fitRegions(path, options);
}

/** @returns why the engine cannot hold the picture, where regions can be fitted */
async function fitWhole(
  path: string | undefined,
  options: FitOptions,
  hasWorkers: boolean,
): Promise<ConfigError | undefined> {
  const out = outOf(path, options);
  const isInPlace = options.resume !== undefined && resolve(options.resume) === resolve(out);
  // What a run goes on from may not change while it is read.
  let release = isInPlace && (await isFolder(out)) ? await holdFolder(out) : undefined;
  const interrupt = interruptible();
  try {
    const job = await jobOf(path, options);
    release ??= await claimFolder(out);
    if (job.note !== undefined && !options.quiet) process.stderr.write(`${job.note}\n`);
    const engines = new Engines(options.quiet);
    try {
      const engine = await engines.of(job.config.pipeline);
      const config = engine.asTrained(job.config);
      const refused = tooLarge({ ...job, config }, engine);
      if (refused) return refused;
      if (hasWorkers) {
        throw usageFailure("Workers fit the regions of a picture: give --regions with --workers or --redis.");
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

/** Why the engine cannot hold a job that it could hold part by part. */
function tooLarge({ config, image, goal, before }: Job, { backend }: Engine): ConfigError | undefined {
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
  const { description, goal } = await runJob(job, engine, quiet ? undefined : showProgress, signal);
  const { out } = job;
  // A Ctrl-C that comes with the last step stops nothing.
  const stopped = signal.aborted && (goal !== undefined || description.step < description.config.steps);
  if (json) process.stdout.write(`${JSON.stringify({ out, ...(stopped && { stopped }), ...description }, null, 2)}\n`);
  else if (!stopped && !quiet) process.stdout.write(`${summary(out, description)}\n`);
  if (stopped && !goal) {
    process.exitCode = 1;
    const at = `Stopped at step ${description.step} of ${description.config.steps}`;
    process.stderr.write(`${at}; go on with: splatbook fit --resume ${out}\n`);
  } else if (stopped) {
    process.exitCode = 1;
    const { config, result } = description;
    const best = `${config.blobs} blobs, ${shownPsnr(result.psnr)}`;
    process.stderr.write(`Stopped; ${out} holds the best so far, ${best}; go on with: splatbook fit --resume ${out}\n`);
  } else if (goal && !goal.reached) {
    process.exitCode = 1;
    process.stderr.write(`The goal of ${describeGoal(goal)} was not reached; ${out} holds what came nearest.\n`);
  }
}

/** Decibels; of what differs nowhere there are no finite ones. */
function shownPsnr(psnr: number): string {
  return Number.isFinite(psnr) ? `${psnr.toFixed(2)} dB` : "without any error";
}

function summary(out: string, { config, step, timings, result }: RunDescription): string {
  const { psnr, file } = result;
  const kept = file ? `; ${runFiles.splat2d}: ${describeSize(file)}, PSNR ${shownPsnr(file.psnr)}` : "";
  const by = config.preset === "quality" ? `${config.blobs} blobs, ` : "";
  const stages = timings.stageTimes ? `\n${stageWords(timings.stageTimes)}` : "";
  return `${out}: ${by}${step} steps in ${duration(timings.seconds)}, PSNR ${shownPsnr(psnr)}${kept}${stages}`;
}

/** What each stage of a step takes, by the median of those that were timed. */
function stageWords(times: Record<string, number>): string {
  const words = Object.entries(times).map(([stage, milliseconds]) => `${stage} ${milliseconds.toPrecision(2)}`);
  return `Milliseconds of a step's stages: ${words.join(", ")}`;
}
