import { join } from "node:path";
import { duration } from "../engine/duration.js";
import type { SweptRow } from "../engine/files/sweepFile.js";
import { bestRow } from "../engine/sweep/ranking.js";
import { missingRuns, type PlannedRun, valuesText, withoutResult } from "../engine/sweep/sweep.js";
import { psnrText } from "../terminal/formatCount.js";
import { showLine, showProgress } from "../terminal/progress.js";
import { acquireFolder } from "./claimFolder.js";
import { disk } from "./disk.js";
import type { Engines } from "./engines.js";
import { farmFolder } from "./farmFolder.js";
import { SweepFolder } from "./sweepFolder.js";
import type { SweepJob } from "./sweepJob.js";
import { trainSweptRun } from "./sweptRun.js";

/**
 * Returns a row for each run that was started or cannot be trained. It changes nothing in the folder.
 * @throws Failure if a folder contains a run that is not part of the sweep
 */
export async function readSweepRows(folder: SweepFolder, plan: PlannedRun[]): Promise<(SweptRow | undefined)[]> {
  const table = await folder.readTable();
  const rows: (SweptRow | undefined)[] = [];
  for (const [i, run] of plan.entries()) {
    rows[i] = run.config
      ? await folder.earlierResult(run, table)
      : { values: run.values, run: "", ...withoutResult("refused", run.refusal) };
  }
  return rows;
}

/**
 * Trains the missing runs one after the other, and writes the table after each.
 * @throws Failure if another command writes into the sweep's folder, or it contains something else
 */
export async function trainSweep(
  job: SweepJob,
  plan: PlannedRun[],
  engines: Engines,
  quiet: boolean | undefined,
  signal: AbortSignal,
): Promise<SweptRow[]> {
  await using _lock = await acquireFolder(job.out);
  const folder = await SweepFolder.open(job);
  const rows = await readSweepRows(folder, plan);
  await folder.describe();
  await folder.writeTable(rows);
  // Files of workers that were killed with their sweep.
  await disk.remove(join(job.out, farmFolder));
  const start = performance.now();
  for (const [done, i] of missingRuns(plan, rows).entries()) {
    if (signal.aborted) break;
    const secondsPerRun = done > 0 ? (performance.now() - start) / 1000 / done : undefined;
    if (!quiet) showLine(describe(job, plan, rows, i, secondsPerRun));
    const sweptRun = {
      common: job,
      config: plan[i].config!,
      out: folder.folderOf(plan[i]),
      hasProgress: rows[i] !== undefined,
    };
    const result = await trainSweptRun(sweptRun, engines, quiet ? undefined : showProgress, signal);
    if (!result) continue;
    if (result.sentence && !quiet) showLine(result.sentence);
    const run = result.step > 0 ? plan[i].name : "";
    rows[i] = { values: plan[i].values, run, ...result };
    await folder.writeTable(rows);
  }
  return rows.filter((row) => row !== undefined);
}

/** Returns what is trained next, and the best result so far. */
function describe(
  { sweep }: SweepJob,
  plan: readonly PlannedRun[],
  rows: readonly (SweptRow | undefined)[],
  i: number,
  secondsPerRun: number | undefined,
): string {
  const best = bestRow(rows.filter((row) => row !== undefined));
  const missing = missingRuns(plan, rows).length;
  const left = secondsPerRun === undefined ? [] : [`about ${duration(missing * secondsPerRun)} left`];
  const results = [...left, ...(best ? [`best PSNR so far ${psnrText(best.psnr)}`] : [])].map((text) => `; ${text}`);
  return `run ${i + 1} of ${plan.length}: ${valuesText(sweep, plan[i].values)}${results.join("")}`;
}
