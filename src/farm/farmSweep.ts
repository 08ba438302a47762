import type { SweptRow } from "../engine/files/sweepFile.js";
import { type PlannedRun, withoutResult } from "../engine/sweep/sweep.js";
import { encodePng } from "../host/node/imageFile.js";
import { holdFolder } from "../runs/claimFolder.js";
import { SweepFolder } from "../runs/sweepFolder.js";
import { comparesPipelines, type SweepJob } from "../runs/sweepJob.js";
import { type Standing, standingOf } from "../runs/trainSweep.js";
import { toFailure } from "../terminal/failure.js";
import { codeVersion, type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import { FarmProgress } from "./farmProgress.js";
import { type Farm, forgetId, OpenFarm, type Place, placeOf } from "./openFarm.js";
import { PendingJobs } from "./pendingJobs.js";
import type { JobQueue } from "./queue.js";

/** Milliseconds between two tables that are written. */
const writesEvery = 1000;

/**
 * Has workers train what is missing of a sweep.
 * @throws Failure if another command writes into the sweep's folder, or it holds something else, or Redis cannot be had
 */
export async function farmSweep(
  job: SweepJob,
  plan: PlannedRun[],
  asked: Farm,
  quiet: boolean | undefined,
  signal: AbortSignal,
): Promise<SweptRow[]> {
  const release = await holdFolder(job.out);
  let farm: OpenFarm | undefined;
  try {
    const folder = await SweepFolder.open(job);
    const place = await placeOf(job.out, asked, signal);
    const standing = await standingOf(folder, plan);
    await folder.describe();
    if (standing.missing.size === 0) return await folder.keep(standing.rows);
    farm = await OpenFarm.open(job.out, asked, place, quiet);
    const sweep = new FarmedSweep(
      folder,
      plan,
      place,
      farm.queue,
      quiet ? undefined : new FarmProgress(plan.length, "runs"),
    );
    await farm.work(sweep.jobs, () => sweep.begin(standing), signal);
    const rows = await sweep.close(farm.isOurs);
    if ((await sweep.jobs.left()).length === 0) await forgetId(job.out);
    return rows;
  } finally {
    await farm?.close();
    await release();
  }
}

/** A sweep whose runs others train. */
class FarmedSweep {
  readonly jobs: PendingJobs;
  readonly #folder: SweepFolder;
  readonly #plan: PlannedRun[];
  readonly #place: Place;
  readonly #progress: FarmProgress | undefined;
  #rows: (SweptRow | undefined)[] = [];
  #writtenAt = 0;

  constructor(
    folder: SweepFolder,
    plan: PlannedRun[],
    place: Place,
    queue: JobQueue,
    progress: FarmProgress | undefined,
  ) {
    this.#folder = folder;
    this.#plan = plan;
    this.#place = place;
    this.#progress = progress;
    this.jobs = new PendingJobs(queue, (...ended) => this.#take(...ended), progress);
  }

  /** Puts what is missing. */
  async begin({ rows, missing }: Standing): Promise<void> {
    this.#rows = rows;
    await this.#folder.keep(rows);
    const { image, imageHash } = this.#folder.job;
    const { store } = this.#place;
    await store.put("picture", imageHash, await encodePng(image));
    const version = codeVersion();
    const jobs = Array.from(missing, (place) => ({ place, job: this.#jobOf(this.#plan[place], version) }));
    for (const { place, job } of jobs) {
      // A part of it was trained without workers.
      if (rows[place]) await store.handOver(idOf(job), this.#folder.of(this.#plan[place]));
    }
    await this.jobs.put(jobs);
  }

  #jobOf(run: PlannedRun, version: string): FarmJob {
    const { imageHash, imageName, recordEvery, recordGradientsEvery } = this.#folder.job;
    return {
      version,
      config: run.config!,
      picture: imageHash,
      imageName,
      run: `${this.#place.prefix}${run.name}`,
      ...(recordEvery !== undefined && { recordEvery }),
      ...(recordGradientsEvery !== undefined && { recordGradientsEvery }),
      comparesPipelines: comparesPipelines(this.#folder.job),
    };
  }

  async #take(place: number, job: FarmJob, result: FarmResult | Error, isLate: boolean): Promise<boolean> {
    const row = await this.#rowOf(this.#plan[place], job, result, isLate);
    if (!row) return false;
    this.#rows[place] = row;
    this.#progress?.take(row.status === "failed", result instanceof Error ? undefined : result.host);
    if (performance.now() - this.#writtenAt > writesEvery) {
      await this.#folder.keep(this.#rows);
      this.#writtenAt = performance.now();
    }
    return true;
  }

  /** The row of a run that has ended; undefined if its folder cannot be seen yet. */
  async #rowOf(run: PlannedRun, job: FarmJob, result: FarmResult | Error, isLate: boolean) {
    const without = (status: "failed" | "refused", sentence: string): SweptRow => ({
      values: run.values,
      run: "",
      ...withoutResult(status, sentence),
    });
    if (result instanceof Error) return without("failed", toFailure(result).message);
    if (result.refused !== undefined) return without("refused", result.refused);
    await this.#place.store.fetch(job.run, this.#folder.of(run));
    const before = await this.#folder.before(run, []);
    if (before || !isLate) return before?.row;
    return without("failed", `${result.host} has trained it, but ${this.#folder.of(run)} is not there.`);
  }

  /**
   * Writes the table as it is in the end.
   * @param isOurs whether no worker is left that goes on with what was begun
   */
  async close(isOurs: boolean): Promise<SweptRow[]> {
    for (const { id, place } of await this.jobs.left()) {
      const run = this.#plan[place];
      if (isOurs) await this.#place.store.takeOver(id, this.#folder.of(run));
      this.#rows[place] = (await this.#folder.before(run, []))?.row;
    }
    return this.#folder.keep(this.#rows);
  }
}
