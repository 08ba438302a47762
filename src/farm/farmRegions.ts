import { join } from "node:path";
import type { PipelineName } from "../engine/config.js";
import { hashImage } from "../engine/image/image.js";
import type { FitResult } from "../engine/regions/fit.js";
import { neededBefore } from "../engine/regions/plan.js";
import { sha256 } from "../engine/sha256.js";
import { encodePng } from "../host/node/imageFile.js";
import type { EngineDescription } from "../runs/describeEngine.js";
import { regionResultsFolder } from "../runs/farmFolder.js";
import { bytesOf } from "../runs/regions/floats.js";
import type { RegionUnion } from "../runs/regions/regionsFolder.js";
import type { RegionsRun } from "../runs/regions/regionsRun.js";
import { Failure } from "../terminal/failure.js";
import { codeVersion, type FarmJob, type FarmResult, idOf, inputName } from "./farmJob.js";
import { FarmProgress } from "./farmProgress.js";
import { readLearned } from "./learnedRegion.js";
import { type FarmSettings, type FarmStorage, OpenFarm, openFarmStorage } from "./openFarm.js";
import { PendingJobs } from "./pendingJobs.js";
import type { JobQueue } from "./queue.js";

/** Workers for a picture's regions. */
export interface RegionsFarm {
  /**
   * Has workers learn what is missing of a picture's regions and windows.
   * @param pipeline that was asked for, since workers may have a GPU where this command has none
   * @throws Failure if one cannot be learned
   */
  learn(run: RegionsRun, pipeline: PipelineName, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the farm of a run by regions.
 * @param out the run's folder
 * @throws ConfigError, or Failure if workers cannot leave what they learn there, or Redis cannot be had
 */
export async function openRegionsFarm(
  out: string,
  farmSettings: FarmSettings,
  quiet: boolean | undefined,
): Promise<RegionsFarm> {
  const place = await openFarmStorage(out, farmSettings);
  const farm = await OpenFarm.open(out, farmSettings, place, quiet);
  return {
    async learn(run, pipeline, signal) {
      const progress = quiet
        ? undefined
        : new FarmProgress(run.taskCount - run.metadata.regions.done, "regions and seams");
      const runStorage = { ...place, store: place.store.withSignal(signal) };
      const farmedRegions = new FarmedRegions(run, pipeline, runStorage, farm.queue, progress);
      try {
        await farm.runJobs(farmedRegions.jobs, () => farmedRegions.queueReady(), signal);
      } finally {
        // What is being taken is written into the run's folder, which is another command's afterwards.
        await farmedRegions.jobs.remaining();
        await farm.close();
      }
    },
    close: () => farm.close(),
  };
}

/** A picture whose parts others learn. What they have learned counts in the order of the plan. */
class FarmedRegions {
  readonly jobs: PendingJobs;
  readonly #run: RegionsRun;
  readonly #pipeline: PipelineName;
  readonly #storage: FarmStorage;
  readonly #progress: FarmProgress | undefined;
  readonly #version = codeVersion();
  /** Those that were put, by their places in the plan: the blobs that a window began with. */
  readonly #queued = new Map<number, RegionUnion | undefined>();
  /** Those that have ended, and wait for others to count. */
  readonly #ended = new Map<number, { run: string; learned: FitResult; by: EngineDescription }>();

  constructor(
    run: RegionsRun,
    pipeline: PipelineName,
    place: FarmStorage,
    queue: JobQueue,
    progress: FarmProgress | undefined,
  ) {
    this.#run = run;
    this.#pipeline = pipeline;
    this.#storage = place;
    this.#progress = progress;
    const doneBefore = run.metadata.regions.done;
    const countUnqueued = () => run.taskCount - doneBefore - this.#queued.size;
    this.jobs = new PendingJobs(queue, (...args) => this.#takeResult(...args), progress, countUnqueued);
  }

  /** Puts what needs nothing that is not done. */
  async queueReady(): Promise<void> {
    const { plan, metadata: told, taskCount: jobs } = this.#run;
    for (let i = told.regions.done; i < jobs && !this.jobs.isOver; i++) {
      if (this.#queued.has(i) || neededBefore(plan, i) > told.regions.done) continue;
      await this.jobs.put([{ place: i, job: await this.#jobOf(i) }]);
    }
  }

  async #jobOf(i: number): Promise<FarmJob> {
    const { store, prefix } = this.#storage;
    const { target: picture, metadata: told } = this.#run;
    const { config, task: part, image, union, recordEvery } = await this.#run.prepare(i);
    this.#queued.set(i, union);
    const blobs = union && (await sha256(bytesOf(union.parameters)));
    const jobFields = {
      version: this.#version,
      config: { ...config, pipeline: this.#pipeline },
      picture: await hashImage(image),
      imageName: told.image.name,
      ...(recordEvery !== undefined && { recordEvery }),
      comparesPipelines: false,
      part: { part, size: { width: picture.width, height: picture.height }, ...(blobs !== undefined && { blobs }) },
    };
    // Another run of the same name may have left its own.
    const job = { ...jobFields, run: `${prefix}${regionResultsFolder}/${idOf({ ...jobFields, run: "" })}` };
    await store.put("picture", inputName(job, job.picture), await encodePng(image));
    if (union) await store.put("blobs", inputName(job, blobs!), bytesOf(union.parameters));
    return job;
  }

  async #takeResult(place: number, job: FarmJob, result: FarmResult | Error, isOverdue: boolean): Promise<boolean> {
    const { plan, metadata: told, out } = this.#run;
    const refusal = result instanceof Error ? result.message : result.refused;
    if (refusal !== undefined) {
      const seam = place - plan.regions.length;
      const label = seam < 0 ? `Region ${place}` : `Seam ${seam}`;
      throw new Failure(`${label} could not be learned: ${refusal.replace(/[.\s]*$/, ".")}`);
    }
    const folder = join(out, regionResultsFolder, job.run.slice(job.run.lastIndexOf("/") + 1));
    await this.#storage.store.fetch(job.run, folder);
    const learnedRegion = await readLearned(folder);
    const { host } = result as FarmResult;
    if (!learnedRegion && !isOverdue) return false;
    if (!learnedRegion) throw new Failure(`${host} has learned a part, but ${folder} is not there.`);
    this.#progress?.addEnded(false, host);
    // Before it counts, since nobody who goes on knows what has led to what counts.
    await this.#removeInputs(job);
    this.#ended.set(place, { run: job.run, ...learnedRegion });
    for (
      let nextResult = this.#ended.get(told.regions.done);
      nextResult;
      nextResult = this.#ended.get(told.regions.done)
    ) {
      const i = told.regions.done;
      await this.#run.addResult(nextResult.learned, this.#queued.get(i), nextResult.by);
      this.#ended.delete(i);
      this.#queued.set(i, undefined);
      await this.#storage.store.removeRun(nextResult.run);
    }
    await this.queueReady();
    return true;
  }

  /** Removes what a part was given, which is nobody else's, once it is learned. */
  async #removeInputs(job: FarmJob): Promise<void> {
    const { store } = this.#storage;
    const { picture, part } = job;
    await store.remove("picture", inputName(job, picture));
    if (part?.blobs !== undefined) await store.remove("blobs", inputName(job, part.blobs));
  }
}
