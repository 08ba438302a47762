import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { ConfigError, completeConfig } from "../engine/config.js";
import { hasEnded } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { fitTask } from "../engine/regions/fit.js";
import { decodeImageBytes } from "../host/node/imageFile.js";
import { describeEngine } from "../runs/describeEngine.js";
import { disk } from "../runs/disk.js";
import { Engines } from "../runs/engines.js";
import { floatsOf } from "../runs/floats.js";
import { pathWithin } from "../runs/pathWithin.js";
import { openRunFolder } from "../runs/runFolder.js";
import { candidatePaths } from "../runs/staging.js";
import { trainSweptRun } from "../runs/sweptRun.js";
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

type Outcome = "done" | "stopped" | { refused: string };

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

  /** Trains a region or window, and writes it to a folder. */
  async function trainPart(
    store: Store,
    { config: requested, picture, recordEvery, alertAfter }: FarmJob,
    { part, size, blobs }: RegionTask,
    folder: string,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      const engine = await engines.others.engineFor(requested.pipeline);
      const config = engine.adaptConfig(completeConfig(requested));
      const start = blobs === undefined ? undefined : floatsOf(await store.get(blobs));
      const image = await loadImage(store, picture);
      const options = { backend: engine.backend, signal, recordEvery, alertAfter };
      const learned = await fitTask(config, part, size, image, start, options);
      if (signal.aborted) return "stopped";
      await writeLearned(folder, config, learned, describeEngine(engine));
      return "done";
    } catch (error) {
      if (error instanceof ConfigError) return { refused: toFailure(error).message };
      throw error;
    }
  }

  /** Trains a run, or continues it, in a folder. */
  async function trainRun(store: Store, job: FarmJob, out: string, signal: AbortSignal): Promise<Outcome> {
    const common = { ...job, image: await loadImage(store, job.picture), imageHash: job.picture };
    const run = { common, config: completeConfig(job.config), out, hasProgress: hasDescription(out) };
    const result = await trainSweptRun(run, engines[job.comparesPipelines ? "comparing" : "others"], signal);
    if (result?.status === "done") return "done";
    if (signal.aborted) return "stopped";
    if (result?.status === "refused") return { refused: result.sentence };
    throw new Failure(result?.sentence ?? "The run was stopped.");
  }

  /**
   * Trains a run, region or window, and commits it.
   * @returns undefined if it was stopped; what it has of a run can be continued
   * @throws Error if it fails
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
    let isDone = false;
    try {
      isDone = await isComplete(attempt);
      if (!isDone) {
        const outcome = await (job.part
          ? trainPart(store, job, job.part, attempt, signal)
          : trainRun(store, job, attempt, signal));
        isDone = outcome === "done";
        if (typeof outcome === "object") {
          await disk.remove(attempt);
          return { host, ...outcome };
        }
      }
      if (isDone || hasDescription(attempt)) await store.commit(attempt, job.run, isComplete);
      else await disk.remove(attempt);
      return isDone ? { host } : undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      // The next attempt commits a finished run.
      if (!isDone) await disk.remove(attempt).catch(() => {});
      throw error;
    }
  };
}

/** Returns whether a folder has a run, which may be unfinished. */
function hasDescription(folder: string): boolean {
  return candidatePaths(folder, runFiles.description).some(existsSync);
}
