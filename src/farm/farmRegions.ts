import type { PipelineName } from "../engine/config.js";
import { hashImage } from "../engine/image/image.js";
import type { FitResult } from "../engine/regions/fit.js";
import { neededBefore } from "../engine/regions/plan.js";
import { sha256 } from "../engine/sha256.js";
import type { EngineDescription } from "../host/node/engine.js";
import { encodePng } from "../host/node/imageFile.js";
import { disk } from "../runs/disk.js";
import { bytesOf } from "../runs/floats.js";
import type { RegionsRun } from "../runs/regions/regionsRun.js";
import { asSentence, Failure } from "../terminal/failure.js";
import type { Farm } from "./farm.js";
import { type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import { FarmProgress } from "./farmProgress.js";
import { readLearned } from "./learnedRegion.js";
import { PendingJobs } from "./pendingJobs.js";
import { farmFolder } from "./store.js";

/**
 * Trains the missing regions and windows of a run on workers, until the signal aborts. All results that have arrived by
 * then are written.
 * @param pipeline the requested pipeline, since workers may have a GPU even if this machine has none
 * @throws Failure if a region or window cannot be trained
 */
export async function learnOnWorkers(
  run: RegionsRun,
  pipeline: PipelineName,
  farm: Farm,
  quiet: boolean | undefined,
  signal: AbortSignal,
): Promise<void> {
  const progress = quiet ? undefined : new FarmProgress(run.taskCount - run.done, "regions and seams");
  const farmedRegions = new FarmedRegions(run, pipeline, farm, progress);
  try {
    await farm.runJobs(farmedRegions.jobs, () => farmedRegions.queueReady(), signal);
  } finally {
    await farmedRegions.jobs.remaining();
  }
}

/** Regions and windows that workers train. Their results are added to the run in the order of the plan. */
class FarmedRegions {
  readonly jobs: PendingJobs;
  /** Queued tasks by index in the plan, with the indices of a window's blobs. */
  readonly #queued = new Map<number, number[][] | undefined>();
  /** Results that wait for those before them. */
  readonly #ended = new Map<number, { folder: string; learned: FitResult; by: EngineDescription }>();

  constructor(
    readonly run: RegionsRun,
    readonly pipeline: PipelineName,
    readonly farm: Farm,
    readonly progress: FarmProgress | undefined,
  ) {
    const doneBefore = run.done;
    const countUnqueued = () => run.taskCount - doneBefore - this.#queued.size;
    this.jobs = new PendingJobs(farm.queue, (...args) => this.#takeResult(...args), progress, countUnqueued);
  }

  /** Queues the tasks of which all dependencies are done. */
  async queueReady(): Promise<void> {
    const { plan, done, taskCount } = this.run;
    for (let i = done; i < taskCount && !this.jobs.isOver; i++) {
      if (this.#queued.has(i) || neededBefore(plan, i) > done) continue;
      await this.jobs.put([{ index: i, job: await this.#jobOf(i) }]);
    }
  }

  async #jobOf(i: number): Promise<FarmJob> {
    const { store, folder } = this.farm;
    const { target, description, alertAfter } = this.run;
    const { config, task: part, image, start, selection, recordEvery } = await this.run.prepare(i);
    this.#queued.set(i, selection);
    const picture = await hashImage(image);
    await store.put(picture, await encodePng(image));
    const blobs = start && (await sha256(bytesOf(start)));
    if (start) await store.put(blobs!, bytesOf(start));
    const job = {
      config: { ...config, pipeline: this.pipeline },
      folder,
      run: "",
      picture,
      imageName: description.image.name,
      recordEvery,
      alertAfter,
      comparesPipelines: false,
      part: { part, size: { width: target.width, height: target.height }, ...(blobs !== undefined && { blobs }) },
    };
    // A resumed command finds the results of those before it.
    return { ...job, run: `${farmFolder}/parts/${idOf(job)}` };
  }

  async #takeResult(index: number, job: FarmJob, result: FarmResult | Error): Promise<boolean> {
    const { run, farm } = this;
    const label = run.nameOf(index);
    const refusal = result instanceof Error ? result.message : result.refused;
    if (refusal !== undefined) {
      throw new Failure(`${label} could not be trained: ${asSentence(refusal)}`);
    }
    const folder = farm.store.pathOf(job.run);
    const learnedRegion = await this.jobs.untilVisible(() => readLearned(folder));
    const { host } = result as FarmResult;
    if (!learnedRegion && this.jobs.isOver) return false;
    if (!learnedRegion) throw new Failure(`${label} was trained on ${host}, but ${folder} does not exist.`);
    this.progress?.addEnded(false, host);
    this.#ended.set(index, { folder, ...learnedRegion });
    for (let next = this.#ended.get(run.done); next; next = this.#ended.get(run.done)) {
      const { done } = run;
      await run.addResult(next.learned, this.#queued.get(done), next.by).catch(async (error) => {
        // A resumed command trains a region again that diverged.
        if (next.learned.alert) await disk.remove(next.folder);
        throw error;
      });
      this.#ended.delete(done);
      this.#queued.set(done, undefined);
      await disk.remove(next.folder);
    }
    await this.queueReady();
    return true;
  }
}
