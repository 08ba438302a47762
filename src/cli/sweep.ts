import { Command } from "commander";
import { numeric } from "../engine/fields.js";
import type { SweptRow } from "../engine/files/sweepFile.js";
import { type PlannedRun, plannedRuns } from "../engine/sweep/sweep.js";
import { rangeExamples } from "../engine/sweep/sweptValues.js";
import { blobsFor } from "../engine/training/blobCount.js";
import type { Farm } from "../farm/openFarm.js";
import type { AllCounts } from "../farm/queue.js";
import { Engines } from "../runs/engines.js";
import { comparesPipelines, inWords, type SweepJob } from "../runs/sweepJob.js";
import { usageFailure } from "../terminal/failure.js";
import { count } from "../terminal/flags.js";
import { interruptible } from "../terminal/interrupt.js";
import { addConfigFlags } from "./configFlags.js";
import { type SweepOptions, sweepJobOf } from "./sweepOptions.js";

export function sweepCommand(): Command {
  const command = new Command("sweep")
    .description("train an image with each combination of one or two settings")
    .argument("[image]", "a PNG, JPEG or WebP file, or a .json file that describes the sweep");
  addConfigFlags(command);
  return command
    .option("--vary <field=values>", "a setting and its values; can be given twice", (text, all: string[] = []) => [
      ...all,
      text,
    ])
    .option("--record-every <n>", "as in fit, for each run")
    .option("--record-gradients-every <n>", "as in fit, for each run")
    .option("--resume <folder>", "continue a sweep that was interrupted")
    .option("--out <folder>", "folder of the sweep (default: runs/ and the name of the image with -sweep)")
    .option("--workers <n>", "train in this many processes, each on its own GPU if there are several")
    .option("--redis <url>", "train on the workers of this Redis")
    .option("--runs <folder>", "with --redis: a folder that all machines share and that contains --out, or s3://BUCKET")
    .option("--status", "with --redis: print how many runs are done, running and waiting")
    .option("--json", "print one JSON object to stdout and nothing else")
    .option("--quiet", "print no progress and no summary")
    .addHelpText(
      "after",
      `
Separate values by commas. A range of numbers is ${rangeExamples}.
The sweep folder has a run folder for each combination, sweep.json, and sweep.arrow with one row per run.
The same command again, or --resume, trains what is missing. With workers, Ctrl-C removes the jobs that have not begun.
The password of Redis can be in the environment variable SPLATBOOK_REDIS_PASSWORD.

A .json file has the path of the image, relative to the file, and the settings:
  {"image": "photo.jpg", "config": {"steps": 500}, "vary": {"learningRate": [0.001, 0.01], "tile": ["8x4", "16x16"]}}

Examples:
  splatbook sweep photo.jpg --vary learning-rate=0.001..0.1x5 --steps 500
  splatbook sweep photo.jpg --vary learning-rate=0.001,0.01 --vary gaussians-per-block=64,128,256 --pipeline tiled
  splatbook sweep sweep.json --out runs/photo
  splatbook sweep --resume runs/photo
  splatbook sweep photo.jpg --vary seed=1..100+100 --workers 8
  splatbook sweep photo.jpg --vary seed=1..100+100 --redis redis://HOST:6379
  splatbook sweep --status --redis redis://HOST:6379`,
    )
    .action(sweep);
}

interface FarmOptions {
  workers?: string;
  redis?: string;
  runs?: string;
  status?: boolean;
}

async function sweep(path: string | undefined, given: SweepOptions & FarmOptions): Promise<void> {
  const { workers, redis, runs, status, ...options } = given;
  if (status) return tellStatus(path, given);
  if (runs !== undefined && redis === undefined) throw usageFailure("--runs is for --redis.");
  const farm = { workers: workers === undefined ? 0 : count("workers", numeric(workers)), redis, runs };
  const job = await sweepJobOf(path, options);
  const plan = plannedRuns(job.sweep, { blobs: blobsFor(job.image) });
  const refused = plan.find(({ refusal }) => refusal !== undefined);
  if (refused && plan.every(({ config }) => config === undefined)) {
    throw usageFailure(`No run of this sweep can be trained: ${refused.refusal}`);
  }
  const interrupt = interruptible();
  try {
    const rows = await (farm.workers > 0 || redis !== undefined
      ? farmed(job, plan, farm, options, interrupt.signal)
      : trained(job, plan, options, interrupt.signal));
    // A Ctrl-C that comes with the last run's end stops nothing.
    const isMissing = rows.length < plan.length || rows.some(({ status }) => status === "stopped");
    tell(job, plan, rows, options, interrupt.signal.aborted && isMissing);
  } finally {
    interrupt.release();
  }
}

/** Trains in this process. */
async function trained(
  job: SweepJob,
  plan: PlannedRun[],
  { quiet }: SweepOptions,
  signal: AbortSignal,
): Promise<SweptRow[]> {
  const engines = new Engines(quiet, comparesPipelines(job));
  try {
    // Arrow takes half a second to load, which a mistyped flag need not wait for.
    const { trainSweep } = await import("../runs/trainSweep.js");
    return await trainSweep(job, plan, engines, quiet, signal);
  } finally {
    engines.close();
  }
}

/** Has workers train. */
async function farmed(job: SweepJob, plan: PlannedRun[], farm: Farm, { quiet }: SweepOptions, signal: AbortSignal) {
  const { farmSweep } = await import("../farm/farmSweep.js");
  return farmSweep(job, plan, farm, quiet, signal);
}

function tell(job: SweepJob, plan: PlannedRun[], rows: SweptRow[], options: SweepOptions, stopped: boolean): void {
  const { out, sweep, imageName } = job;
  const has = (status: SweptRow["status"]) => rows.filter((row) => row.status === status);
  const [done, failed, refused] = [has("done"), has("failed"), has("refused")];
  const best = done.reduce<SweptRow | undefined>((a, b) => (a && a.psnr >= b.psnr ? a : b), undefined);
  if (options.json) {
    const told = { out, ...(stopped && { stopped }), image: imageName, config: sweep.config, vary: sweep.vary };
    process.stdout.write(`${JSON.stringify({ ...told, runs: rows }, null, 2)}\n`);
  } else if (!options.quiet && best) {
    const others = refused.length > 0 ? `, ${refused.length} refused` : "";
    const line = `${done.length} of ${plan.length} runs${others}; the best has PSNR ${best.psnr.toFixed(2)} dB with ${inWords(best.run)}`;
    process.stdout.write(`${out}: ${line}\n`);
  }
  if (stopped) {
    process.exitCode = 1;
    process.stderr.write(
      `Stopped with ${done.length} of ${plan.length} runs; go on with: splatbook sweep --resume ${out}\n`,
    );
  } else if (failed.length > 0) {
    process.exitCode = 1;
    process.stderr.write(`${failed.length} of ${plan.length} runs failed; ${out}/sweep.arrow says why.\n`);
  }
}

/** Tells how the sweeps of a Redis come along. */
async function tellStatus(path: string | undefined, { redis, status: _, json, ...others }: SweepOptions & FarmOptions) {
  const [other] = Object.keys(others);
  if (path !== undefined || other !== undefined) throw usageFailure("--status goes with --redis and --json alone.");
  if (redis === undefined) throw usageFailure("--status needs --redis, such as --redis redis://HOST:6379.");
  const [{ countJobs }, { connect }] = await Promise.all([import("../farm/queue.js"), import("../farm/redis.js")]);
  const connection = await connect(redis);
  try {
    const counts = await countJobs(connection);
    if (json) process.stdout.write(`${JSON.stringify(counts, null, 2)}\n`);
    else process.stdout.write(`${inSentence(counts)}\n`);
  } finally {
    connection.disconnect();
  }
}

function inSentence({ waiting, running, done, failed, workers, hosts, versions }: AllCounts): string {
  const by = Object.entries(hosts).map(([host, count]) => `${count} on ${host}`);
  const busy = `${running} running${by.length > 0 ? ` (${by.join(", ")})` : ""}`;
  const total = `${done} runs done, ${busy}, ${waiting} waiting, ${failed} failed; ${workersOf(workers)}`;
  const each = Object.entries(versions).map(
    ([version, of]) => `splatbook ${version}: ${of.running} running, ${of.waiting} waiting, ${workersOf(of.workers)}`,
  );
  return each.length > 1 ? [total, ...each].join("\n") : total;
}

const workersOf = (count: number) => `${count} ${count === 1 ? "worker" : "workers"}`;
