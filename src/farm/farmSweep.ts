import type { SweptRow } from "../engine/files/sweepFile.js";
import { missingRuns, type PlannedRun, withoutResult } from "../engine/sweep/sweep.js";
import { encodePng } from "../host/node/imageFile.js";
import { acquireFolder } from "../runs/claimFolder.js";
import { SweepFolder } from "../runs/sweepFolder.js";
import { comparesPipelines, type SweepJob } from "../runs/sweepJob.js";
import { bestSoFar } from "../runs/sweepTable.js";
import { readSweepRows } from "../runs/trainSweep.js";
import { toFailure } from "../terminal/failure.js";
import { Farm, type FarmSettings } from "./farm.js";
import { codeVersion, type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import { FarmProgress } from "./farmProgress.js";
import { PendingJobs } from "./pendingJobs.js";

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
  const release = await acquireFolder(job.out);
  let farm: Farm | undefined;
  try {
    const folder = await SweepFolder.open(job);
    const rowsBefore = await readSweepRows(folder, plan);
    await folder.describe();
    if (missingRuns(plan, rowsBefore).length === 0) return await folder.writeTable(rowsBefore);
    farm = await Farm.open(job.out, farmSettings, quiet);
    const sweep = new FarmedSweep(folder, plan, farm, quiet ? undefined : new FarmProgress(plan.length, "runs"));
    await farm.runJobs(sweep.jobs, () => sweep.start(rowsBefore), signal);
    return await sweep.close();
  } finally {
    await farm?.close();
    await release();
  }
}

class FarmedSweep {
  readonly jobs: PendingJobs;
  #rows: (SweptRow | undefined)[] = [];
  #writtenAt = 0;

  constructor(
    readonly folder: SweepFolder,
    readonly plan: PlannedRun[],
    readonly farm: Farm,
    readonly progress: FarmProgress | undefined,
  ) {
    this.jobs = new PendingJobs(farm.queue, (index, _job, ...ended) => this.#takeResult(index, ...ended), progress);
  }

  async start(rows: (SweptRow | undefined)[]): Promise<void> {
    this.#rows = rows;
    await this.folder.writeTable(rows);
    const { image, imageHash } = this.folder.job;
    const { store } = this.farm;
    await store.put("image", imageHash, await encodePng(image));
    const jobs = missingRuns(this.plan, rows).map((index) => ({ index, job: this.#jobOf(this.plan[index]) }));
    for (const { index, job } of jobs) {
      if (rows[index]) await store.handOver(idOf(job), this.folder.folderOf(this.plan[index]));
    }
    await this.jobs.put(jobs);
  }

  #jobOf(run: PlannedRun): FarmJob {
    const { imageHash, imageName, recordEvery, recordGradientsEvery } = this.folder.job;
    return {
      version: codeVersion(),
      config: run.config!,
      picture: imageHash,
      imageName,
      run: `${this.farm.prefix}${run.name}`,
      recordEvery,
      recordGradientsEvery,
      comparesPipelines: comparesPipelines(this.folder.job),
    };
  }

  async #takeResult(index: number, result: FarmResult | Error, isOverdue: boolean): Promise<boolean> {
    const row = await this.#rowOf(this.plan[index], result, isOverdue);
    if (!row) return false;
    this.#rows[index] = row;
    this.progress?.addEnded(row.status === "failed", result instanceof Error ? undefined : result.host);
    this.progress?.pin(bestSoFar(this.folder.job.sweep, this.#rows));
    if (performance.now() - this.#writtenAt > tableInterval) {
      await this.folder.writeTable(this.#rows);
      this.#writtenAt = performance.now();
    }
    return true;
  }

  /** Returns the row of a run that has ended; undefined if its folder is not visible yet. */
  async #rowOf(run: PlannedRun, result: FarmResult | Error, isOverdue: boolean) {
    const failedRow = (status: "failed" | "refused", sentence: string): SweptRow => ({
      values: run.values,
      run: "",
      ...withoutResult(status, sentence),
    });
    if (result instanceof Error) return failedRow("failed", toFailure(result).message);
    if (result.refused !== undefined) return failedRow("refused", result.refused);
    const earlier = await this.folder.earlierResult(run, []);
    if (earlier || !isOverdue) return earlier;
    return failedRow(
      "failed",
      `The run was trained on ${result.host}, but ${this.folder.folderOf(run)} does not exist.`,
    );
  }

  /** Writes the final table. Takes back unfinished runs if all workers have ended with the command. */
  async close(): Promise<SweptRow[]> {
    const ownsWorkers = this.farm.settings.redis === undefined;
    for (const { id, index } of await this.jobs.remaining()) {
      const run = this.plan[index];
      if (ownsWorkers) await this.farm.store.takeOver(id, this.folder.folderOf(run));
      this.#rows[index] = await this.folder.earlierResult(run, []);
    }
    return this.folder.writeTable(this.#rows);
  }
}
