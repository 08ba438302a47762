import { join } from "node:path";
import type { PipelineName } from "../engine/config.js";
import { hashImage } from "../engine/image/image.js";
import type { Learned } from "../engine/regions/learn.js";
import { neededBefore } from "../engine/regions/plan.js";
import { sha256 } from "../engine/sha256.js";
import { encodePng } from "../host/node/imageFile.js";
import type { EngineDescription } from "../runs/describeEngine.js";
import { partsFolder } from "../runs/farmFolder.js";
import { bytesOf } from "../runs/regions/floats.js";
import type { Union } from "../runs/regions/regionsFolder.js";
import type { RegionsRun } from "../runs/regions/regionsRun.js";
import { Failure } from "../terminal/failure.js";
import { codeVersion, type FarmJob, type FarmResult, givenName, idOf } from "./farmJob.js";
import { FarmProgress } from "./farmProgress.js";
import { readLearned } from "./learnedPart.js";
import { type Farm, OpenFarm, type Place, placeOf } from "./openFarm.js";
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
export async function openRegionsFarm(out: string, asked: Farm, quiet: boolean | undefined): Promise<RegionsFarm> {
  const place = await placeOf(out, asked);
  const farm = await OpenFarm.open(out, asked, place, quiet);
  return {
    async learn(run, pipeline, signal) {
      const progress = quiet ? undefined : new FarmProgress(run.jobs - run.told.regions.done, "regions and seams");
      const here = { ...place, store: place.store.within(signal) };
      const farmed = new FarmedRegions(run, pipeline, here, farm.queue, progress);
      try {
        await farm.work(farmed.jobs, () => farmed.putReady(), signal);
      } finally {
        // What is being taken is written into the run's folder, which is another command's afterwards.
        await farmed.jobs.left();
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
  readonly #place: Place;
  readonly #progress: FarmProgress | undefined;
  readonly #version = codeVersion();
  /** Those that were put, by their places in the plan: the blobs that a window began with. */
  readonly #put = new Map<number, Union | undefined>();
  /** Those that have ended, and wait for others to count. */
  readonly #ended = new Map<number, { run: string; learned: Learned; by: EngineDescription }>();

  constructor(
    run: RegionsRun,
    pipeline: PipelineName,
    place: Place,
    queue: JobQueue,
    progress: FarmProgress | undefined,
  ) {
    this.#run = run;
    this.#pipeline = pipeline;
    this.#place = place;
    this.#progress = progress;
    const before = run.told.regions.done;
    const unput = () => run.jobs - before - this.#put.size;
    this.jobs = new PendingJobs(queue, (...ended) => this.#take(...ended), progress, unput);
  }

  /** Puts what needs nothing that is not done. */
  async putReady(): Promise<void> {
    const { plan, told, jobs } = this.#run;
    for (let i = told.regions.done; i < jobs && !this.jobs.isOver; i++) {
      if (this.#put.has(i) || neededBefore(plan, i) > told.regions.done) continue;
      await this.jobs.put([{ place: i, job: await this.#jobOf(i) }]);
    }
  }

  async #jobOf(i: number): Promise<FarmJob> {
    const { store, prefix } = this.#place;
    const { picture, told } = this.#run;
    const { config, part, image, union, recordEvery } = await this.#run.prepare(i);
    this.#put.set(i, union);
    const blobs = union && (await sha256(bytesOf(union.parameters)));
    const parted = {
      version: this.#version,
      config: { ...config, pipeline: this.#pipeline },
      picture: await hashImage(image),
      imageName: told.image.name,
      ...(recordEvery !== undefined && { recordEvery }),
      comparesPipelines: false,
      part: { part, size: { width: picture.width, height: picture.height }, ...(blobs !== undefined && { blobs }) },
    };
    // Another run of the same name may have left its own.
    const job = { ...parted, run: `${prefix}${partsFolder}/${idOf({ ...parted, run: "" })}` };
    await store.put("picture", givenName(job, job.picture), await encodePng(image));
    if (union) await store.put("blobs", givenName(job, blobs!), bytesOf(union.parameters));
    return job;
  }

  async #take(place: number, job: FarmJob, result: FarmResult | Error, isLate: boolean): Promise<boolean> {
    const { plan, told, out } = this.#run;
    const refused = result instanceof Error ? result.message : result.refused;
    if (refused !== undefined) {
      const seam = place - plan.regions.length;
      const what = seam < 0 ? `Region ${place}` : `Seam ${seam}`;
      throw new Failure(`${what} could not be learned: ${refused.replace(/[.\s]*$/, ".")}`);
    }
    const folder = join(out, partsFolder, job.run.slice(job.run.lastIndexOf("/") + 1));
    await this.#place.store.fetch(job.run, folder);
    const found = await readLearned(folder);
    const { host } = result as FarmResult;
    if (!found && !isLate) return false;
    if (!found) throw new Failure(`${host} has learned a part, but ${folder} is not there.`);
    this.#progress?.take(false, host);
    // Before it counts, since nobody who goes on knows what has led to what counts.
    await this.#removeGiven(job);
    this.#ended.set(place, { run: job.run, ...found });
    for (let next = this.#ended.get(told.regions.done); next; next = this.#ended.get(told.regions.done)) {
      const i = told.regions.done;
      await this.#run.take(next.learned, this.#put.get(i), next.by);
      this.#ended.delete(i);
      this.#put.set(i, undefined);
      await this.#place.store.removeRun(next.run);
    }
    await this.putReady();
    return true;
  }

  /** Removes what a part was given, which is nobody else's, once it is learned. */
  async #removeGiven(job: FarmJob): Promise<void> {
    const { store } = this.#place;
    const { picture, part } = job;
    await store.remove("picture", givenName(job, picture));
    if (part?.blobs !== undefined) await store.remove("blobs", givenName(job, part.blobs));
  }
}
