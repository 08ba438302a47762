import { join } from "node:path";
import type { SweptRow } from "../engine/files/sweepFile.js";
import { bestRow } from "../engine/sweep/ranking.js";
import { missingRuns, type PlannedRun, withoutResult } from "../engine/sweep/sweep.js";
import { encodePng } from "../host/node/imageFile.js";
import { acquireFolder } from "../runs/claimFolder.js";
import { disk } from "../runs/disk.js";
import { SweepFolder } from "../runs/sweepFolder.js";
import { comparesPipelines, type SweepJob } from "../runs/sweepJob.js";
import { toFailure } from "../terminal/failure.js";
import { psnrText } from "../terminal/formatCount.js";
import { Farm, type FarmSettings } from "./farm.js";
import type { FarmJob, FarmResult } from "./farmJob.js";
import { FarmProgress } from "./farmProgress.js";
import { PendingJobs } from "./pendingJobs.js";
import { farmFolder } from "./store.js";

/** Milliseconds between two writes of the table. */
const tableInterval = 1000;

/**
 * Trains the missing runs of a sweep on workers.
 * @throws Failure if another command writes into the sweep's folder, it contains something else, or Redis is not
 * available
 */
export async function farmSweep(
  job: SweepJob,
  plan: PlannedRun[],
  farmSettings: FarmSettings,
  quiet: boolean | undefined,
  signal: AbortSignal,
): Promise<SweptRow[]> {
  await using _lock = await acquireFolder(job.out);
  const folder = await SweepFolder.open(job);
  const rows = await folder.rowsOf(plan);
  await folder.describe();
  await folder.writeTable(rows);
  const missing = missingRuns(plan, rows);
  if (missing.length === 0) return rows.filter((row) => row !== undefined);
  const farm = await Farm.open(job.out, farmSettings, quiet);
  const progress = quiet ? undefined : new FarmProgress(plan.length, "runs");
  let writtenAt = 0;
  const jobs: PendingJobs = new PendingJobs(
    farm.queue,
    async (index, _job, result) => {
      const row = await rowOf(plan[index], result, folder, jobs);
      if (!row) return false;
      rows[index] = row;
      const best = bestRow(rows.filter((row) => row !== undefined));
      const note = best && `best PSNR so far ${psnrText(best.psnr)}`;
      progress?.addEnded(row.status === "failed", result instanceof Error ? undefined : result.host, note);
      if (performance.now() - writtenAt < tableInterval) return true;
      await folder.writeTable(rows);
      writtenAt = performance.now();
      return true;
    },
    progress,
  );
  const queueAll = async () => {
    await farm.store.put(job.imageHash, await encodePng(job.image));
    await jobs.put(missing.map((index) => ({ index, job: jobOf(job, plan[index], farm) })));
  };
  try {
    await farm.runJobs(jobs, queueAll, signal);
    const remaining = await jobs.remaining();
    // What a worker was stopped at is in its run's folder.
    for (const { index } of remaining) rows[index] = await folder.rowOf(plan[index]);
    if (remaining.length === 0 || "workers" in farmSettings) await disk.remove(join(job.out, farmFolder));
    return await folder.writeTable(rows);
  } finally {
    await farm.close();
  }
}

function jobOf(job: SweepJob, { config, name }: PlannedRun, { folder }: Farm): FarmJob {
  const { imageHash: picture, imageName, recordEvery, recordGradientsEvery } = job;
  const intervals = { recordEvery, recordGradientsEvery };
  return {
    config: config!,
    folder,
    run: name,
    picture,
    imageName,
    ...intervals,
    comparesPipelines: comparesPipelines(job),
  };
}

/** Returns the row of a run that has ended; undefined if the command ends before it is visible. */
async function rowOf(
  run: PlannedRun,
  result: FarmResult | Error,
  folder: SweepFolder,
  jobs: PendingJobs,
): Promise<SweptRow | undefined> {
  const failedRow = (status: "failed" | "refused", sentence: string): SweptRow => ({
    values: run.values,
    run: "",
    ...withoutResult(status, sentence),
  });
  if (result instanceof Error) return failedRow("failed", toFailure(result).message);
  if (result.refused !== undefined) return failedRow("refused", result.refused);
  const row = await jobs.untilVisible(async () => {
    const found = await folder.rowOf(run);
    return found?.status === "done" ? found : undefined;
  });
  if (row || jobs.isOver) return row;
  return failedRow("failed", `The run was trained on ${result.host}, but ${folder.folderOf(run)} does not exist.`);
}
