import { join } from "node:path";
import { duration } from "../engine/duration.js";
import type { SweptRow } from "../engine/files/sweepFile.js";
import { type PlannedRun, withoutResult } from "../engine/sweep/sweep.js";
import { showLine, showProgress } from "../terminal/progress.js";
import { acquireFolder } from "./claimFolder.js";
import { disk } from "./disk.js";
import type { Engines } from "./engines.js";
import { farmFolder } from "./farmFolder.js";
import { SweepFolder } from "./sweepFolder.js";
import { readableName, type SweepJob } from "./sweepJob.js";
import { trainSweptRun } from "./sweptRun.js";

/**
 * Trains the missing runs one after the other, and writes the table after each.
 * @throws Failure if another command writes into the sweep's folder, or it contains something else
 */
export async function trainSweep(job: SweepJob, ...args: SweepArguments): Promise<SweptRow[]> {
  const release = await acquireFolder(job.out);
  try {
    return await train(job, ...args);
  } finally {
    await release();
  }
}

type SweepArguments = [plan: PlannedRun[], engines: Engines, quiet: boolean | undefined, signal: AbortSignal];

/** The state of a sweep: a row for each run that was started or cannot be trained, and the missing runs. */
export interface SweepStatus {
  rows: (SweptRow | undefined)[];
  /** Indices in the plan of runs that are not done. */
  missing: Set<number>;
}

/**
 * Returns the state of a sweep. It changes nothing in the folder.
 * @throws Failure if a folder contains a run that is not part of the sweep
 */
export async function readSweepStatus(folder: SweepFolder, plan: PlannedRun[]): Promise<SweepStatus> {
  const table = await folder.readTable();
  const rows: (SweptRow | undefined)[] = [];
  const missing = new Set<number>();
  for (const [i, run] of plan.entries()) {
    const earlier = await folder.earlierResult(run, table);
    rows[i] = run.config ? earlier?.row : { values: run.values, run: "", ...withoutResult("refused", run.refusal) };
    if (run.config && !earlier?.isDone) missing.add(i);
  }
  return { rows, missing };
}

async function train(job: SweepJob, ...[plan, engines, quiet, signal]: SweepArguments): Promise<SweptRow[]> {
  const folder = await SweepFolder.open(job);
  const { rows, missing } = await readSweepStatus(folder, plan);
  await folder.describe();
  await folder.writeTable(rows);
  // Files of workers that were killed with their sweep.
  await disk.remove(join(job.out, farmFolder));
  const start = performance.now();
  let done = 0;
  for (const i of missing) {
    if (signal.aborted) break;
    const secondsLeft = done > 0 ? ((performance.now() - start) / 1000 / done) * (missing.size - done) : undefined;
    if (!quiet)
      showLine(`${describe(plan, i)}${secondsLeft === undefined ? "" : `, about ${duration(secondsLeft)} left`}`);
    const sweptRun = {
      common: job,
      config: plan[i].config!,
      out: folder.folderOf(plan[i]),
      hasProgress: rows[i] !== undefined,
    };
    const result = await trainSweptRun(sweptRun, engines, quiet ? undefined : showProgress, signal);
    done++;
    if (!result) continue;
    if (result.sentence && !quiet) process.stderr.write(`${result.sentence}\n`);
    const run = result.step > 0 ? plan[i].name : "";
    rows[i] = { values: plan[i].values, run, ...result };
    await folder.writeTable(rows);
  }
  return rows.filter((row) => row !== undefined);
}

function describe(plan: PlannedRun[], i: number): string {
  return `run ${i + 1} of ${plan.length}: ${readableName(plan[i].name)}`;
}
