import { ConfigError, type TrainConfig } from "../engine/config.js";
import { duration } from "../engine/duration.js";
import type { SweptRow } from "../engine/files/sweepFile.js";
import { type PlannedRun, type SweptResult, withoutResult } from "../engine/sweep/sweep.js";
import { holdFolder } from "./claimFolder.js";
import type { Engines } from "./engines.js";
import { toFailure } from "./failure.js";
import { type Job, jobOf, recordEveryOf, secondsBetween } from "./job.js";
import { showProgress } from "./progress.js";
import { runJob } from "./runJob.js";
import { SweepFolder } from "./sweepFolder.js";
import { inWords, type SweepJob } from "./sweepJob.js";

/**
 * Trains what is missing, run by run, and writes the table after each.
 * @throws Failure if another command writes into the sweep's folder, or it holds something else
 */
export async function trainSweep(job: SweepJob, ...given: Given): Promise<SweptRow[]> {
  const release = await holdFolder(job.out);
  try {
    return await train(job, ...given);
  } finally {
    await release();
  }
}

type Given = [plan: PlannedRun[], engines: Engines, quiet: boolean | undefined, signal: AbortSignal];

async function train(job: SweepJob, ...[plan, engines, quiet, signal]: Given): Promise<SweptRow[]> {
  const folder = await SweepFolder.open(job);
  const table = await folder.readTable();
  const rows: (SweptRow | undefined)[] = [];
  const missing = new Set<number>();
  // All of the folder is looked at before anything in it changes.
  for (const [i, run] of plan.entries()) {
    const before = await folder.before(run, table);
    rows[i] = run.config ? before?.row : { values: run.values, run: "", ...withoutResult("refused", run.refusal) };
    if (run.config && !before?.isDone) missing.add(i);
  }
  const known = () => rows.filter((row) => row !== undefined);
  await folder.describe();
  await folder.writeTable(known());
  const start = performance.now();
  let done = 0;
  for (const i of missing) {
    if (signal.aborted) break;
    const left = done > 0 ? ((performance.now() - start) / 1000 / done) * (missing.size - done) : undefined;
    if (!quiet)
      showProgress({ said: `${describe(plan, i)}${left === undefined ? "" : `; about ${duration(left)} left`}` });
    const result = await trainOne(folder, plan[i], rows[i] !== undefined, engines, quiet, signal);
    done++;
    if (!result) continue;
    if (result.sentence && !quiet) process.stderr.write(`${result.sentence}\n`);
    const run = result.step > 0 ? plan[i].name : "";
    rows[i] = { values: plan[i].values, run, ...result };
    await folder.writeTable(known());
  }
  return known();
}

function describe(plan: PlannedRun[], i: number): string {
  return `run ${i + 1} of ${plan.length}: ${inWords(plan[i].name)}`;
}

/** Trains a run, or what is left of it. Undefined if it was stopped before there was anything to keep. */
async function trainOne(
  folder: SweepFolder,
  run: PlannedRun,
  isBegun: boolean,
  engines: Engines,
  quiet: boolean | undefined,
  signal: AbortSignal,
): Promise<SweptResult | undefined> {
  const out = folder.of(run);
  const release = await holdFolder(out);
  try {
    const job = isBegun ? await jobOf(undefined, { resume: out }) : newJob(folder.job, run.config!, out);
    const engine = await engines.of(job.config.pipeline);
    if (engine.fallback !== undefined && engines.comparesPipelines) {
      return withoutResult("refused", `${engine.fallback} The CPU is no stand-in where pipelines are compared.`);
    }
    const config = engine.asTrained(job.config);
    const { description } = await runJob({ ...job, config }, engine, quiet ? undefined : showProgress, signal);
    const { step, result, timings } = description;
    const { seconds, stepsPerSecond } = timings;
    const status = signal.aborted && step < config.steps ? "stopped" : "done";
    return { status, sentence: "", loss: result.loss, psnr: result.psnr, seconds, stepsPerSecond, step };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof ConfigError) return withoutResult("refused", error.message);
    return withoutResult("failed", toFailure(error).message);
  } finally {
    await release();
  }
}

function newJob({ image, imageName, imageHash, ...record }: SweepJob, config: TrainConfig, out: string): Job {
  return {
    config,
    image,
    imageName,
    imageHash,
    recordEvery: record.recordEvery ?? recordEveryOf(config),
    recordGradientsEvery: record.recordGradientsEvery,
    checkpointEvery: secondsBetween,
    out,
  };
}
