import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { ConfigError, completeConfig } from "../engine/config.js";
import { hasEnded } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { fitTask } from "../engine/regions/fit.js";
import { describeEngine } from "../host/node/engine.js";
import { decodeImageBytes } from "../host/node/imageFile.js";
import { acquireFolder } from "../runs/claimFolder.js";
import { disk } from "../runs/disk.js";
import { Engines } from "../runs/engines.js";
import { floatsOf } from "../runs/floats.js";
import { newJob, resumedJob } from "../runs/job.js";
import { pathWithin } from "../runs/pathWithin.js";
import { openRunFolder } from "../runs/runFolder.js";
import { runJob } from "../runs/runJob.js";
import { candidatePaths } from "../runs/staging.js";
import { Failure, toFailure } from "../terminal/failure.js";
import type { FarmJob, FarmResult, RegionTask } from "./farmJob.js";
import { readLearned, writeLearned } from "./learnedRegion.js";
import { Store } from "./store.js";

export interface TrainerRequest {
  id: string;
  /** Unique token of this attempt at the job. */
  token: string;
  job: FarmJob;
}

/**
 * Returns a function that trains jobs and commits their runs.
 * @param runs the folder that all machines share
 * @param threads of the CPU engine
 */
export function trainerFor(runs: string, threads: number) {
  const host = hostname();
  const engines = { comparing: new Engines(true, true, threads), others: new Engines(true, false, threads) };
  /** The last image, since all jobs of a sweep have the same one. */
  let lastImage: { hash: string; image: Image } | undefined;

  async function loadImage(store: Store, hash: string): Promise<Image> {
    if (lastImage?.hash === hash) return lastImage.image;
    const name = `The image ${hash.slice(0, 8)} of ${store.folder}`;
    const image = await decodeImageBytes(await store.get(hash), name);
    if ((await hashImage(image)) !== hash) throw new Failure(`${name} is damaged: its hash is different.`);
    lastImage = { hash, image };
    return image;
  }

  /** Trains a region or window, and writes it to a folder. Returns whether it was not stopped. */
  async function trainPart(
    store: Store,
    { config: requested, picture, recordEvery, alertAfter }: FarmJob,
    { part, size, blobs }: RegionTask,
    folder: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const engine = await engines.others.engineFor(requested.pipeline);
    const config = engine.adaptConfig(completeConfig(requested));
    const start = blobs === undefined ? undefined : floatsOf(await store.get(blobs));
    const image = await loadImage(store, picture);
    const options = { backend: engine.backend, signal, recordEvery, alertAfter };
    const learned = await fitTask(config, part, size, image, start, options);
    if (!signal.aborted) await writeLearned(folder, config, learned, describeEngine(engine));
    return !signal.aborted;
  }

  /** Trains a run, or continues it, in a folder. Returns whether it has ended. */
  async function trainRun(store: Store, job: FarmJob, out: string, signal: AbortSignal): Promise<boolean> {
    const { picture, imageName, recordEvery, recordGradientsEvery, comparesPipelines } = job;
    const image = await loadImage(store, picture);
    const fields = { image, imageName, imageHash: picture, recordEvery, recordGradientsEvery, out };
    await using _lock = await acquireFolder(out);
    const run = hasDescription(out) ? await resumedJob(out) : newJob({ ...fields, config: completeConfig(job.config) });
    const engine = await engines[comparesPipelines ? "comparing" : "others"].engineFor(run.config.pipeline);
    if (engine.fallback !== undefined && comparesPipelines)
      throw new Refusal(`${engine.fallback} The CPU cannot replace it in a comparison of pipelines.`);
    const adapted = { ...run, config: engine.adaptConfig(run.config) };
    const { description } = await runJob(adapted, engine, {}, signal);
    return hasEnded(description);
  }

  /**
   * Trains a run, region or window, and commits it.
   * @returns undefined if it was stopped
   * @throws Failure if it fails
   */
  return async ({ id, token, job }: TrainerRequest, signal: AbortSignal): Promise<FarmResult | undefined> => {
    const store = new Store(job.folder === "" ? runs : pathWithin(runs, job.folder));
    const isComplete = async (folder: string) => {
      if (job.part) return Boolean(await readLearned(folder));
      return hasDescription(folder) && hasEnded((await openRunFolder(folder)).description);
    };
    // An earlier worker may have been killed right before or after its commit.
    if (await isComplete(store.pathOf(job.run))) return { host };
    const attempt = await store.startAttempt(id, token, job.run);
    // What there is of a run can be continued, by any command.
    const putBack = () => (hasDescription(attempt) ? store.commit(attempt, job.run, isComplete) : disk.remove(attempt));
    let isDone: boolean;
    try {
      isDone =
        (await isComplete(attempt)) ||
        (await (job.part ? trainPart(store, job, job.part, attempt, signal) : trainRun(store, job, attempt, signal)));
    } catch (error) {
      await putBack().catch(() => {});
      if (signal.aborted) return undefined;
      if (error instanceof ConfigError || error instanceof Refusal) return { host, refused: error.message };
      throw toFailure(error);
    }
    // If this fails, the next attempt does it.
    await putBack();
    return isDone ? { host } : undefined;
  };
}

/** Why no worker can train a run. */
class Refusal extends Error {}

/** Returns whether a folder has a run, which may be unfinished. */
function hasDescription(folder: string): boolean {
  return candidatePaths(folder, runFiles.description).some(existsSync);
}
