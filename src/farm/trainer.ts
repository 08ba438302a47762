import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigError, completeConfig, type TrainConfig } from "../engine/config.js";
import { hasEnded } from "../engine/files/runDescription.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { withPresentNames } from "../engine/oldNames.js";
import { fitTask } from "../engine/regions/fit.js";
import { decodeImageBytes } from "../host/node/imageFile.js";
import { describeEngine } from "../runs/describeEngine.js";
import { Engines } from "../runs/engines.js";
import { floatsOf } from "../runs/floats.js";
import { openRunFolder } from "../runs/runFolder.js";
import { trainSweptRun } from "../runs/sweptRun.js";
import { Failure, toFailure } from "../terminal/failure.js";
import { type FarmJob, type FarmResult, inputName, type RegionTask } from "./farmJob.js";
import { readLearned, writeLearned } from "./learnedRegion.js";
import { type Attempt, JobReassigned, type Store } from "./store.js";

/** Returns the config of a job, with the present names of its fields. */
function configOf({ config }: FarmJob): TrainConfig {
  return completeConfig(withPresentNames(config));
}

export interface TrainerRequest {
  id: string;
  /** Token of the worker's lock on the job. */
  token: string;
  job: FarmJob;
}

type Outcome = "done" | "stopped" | { refused: string };

/**
 * Returns a function that trains runs and commits them to a store.
 * @param threads of the CPU engine
 */
export function trainerFor(store: Store, threads: number) {
  const host = hostname();
  const engines = { comparing: new Engines(true, true, threads), others: new Engines(true, false, threads) };
  /** The last image, since all jobs of a sweep have the same one. */
  let lastImage: { hash: string; image: Image } | undefined;

  /** Returns whether the run of an attempt is finished. A worker that was killed may not have committed it. */
  async function isAttemptComplete({ hasProgress, folder }: Attempt, job: FarmJob): Promise<boolean> {
    if (!hasProgress) return false;
    if (job.part) return Boolean(await readLearned(folder));
    const { description } = await openRunFolder(folder);
    return hasEnded(description);
  }

  async function loadImage(job: FarmJob): Promise<Image> {
    const hash = job.picture;
    if (lastImage?.hash === hash) return lastImage.image;
    const name = `The image ${hash.slice(0, 8)} of ${store.name}`;
    const image = await decodeImageBytes(await store.get("image", inputName(job, hash)), name);
    if ((await hashImage(image)) !== hash) throw new Failure(`${name} is damaged: its hash is different.`);
    lastImage = { hash, image };
    return image;
  }

  /** Trains a region or window, and writes it to a folder. */
  async function trainPart(
    job: FarmJob,
    { part, size, blobs }: RegionTask,
    folder: string,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      const engine = await engines.others.engineFor(job.config.pipeline);
      const config = engine.adaptConfig(configOf(job));
      const start = blobs === undefined ? undefined : floatsOf(await store.get("blobs", inputName(job, blobs)));
      const image = await loadImage(job);
      const { recordEvery, alertAfter } = job;
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

  /** Trains a run, which is written to the folder of an attempt. */
  async function trainRun(job: FarmJob, { folder: out, hasProgress }: Attempt, signal: AbortSignal): Promise<Outcome> {
    const common = { ...job, image: await loadImage(job), imageHash: job.picture };
    const run = { common, config: configOf(job), out, hasProgress };
    const result = await trainSweptRun(run, engines[job.comparesPipelines ? "comparing" : "others"], undefined, signal);
    if (result?.status === "done") return "done";
    if (signal.aborted) return "stopped";
    if (result?.status === "refused") return { refused: result.sentence };
    throw new Failure(result?.sentence ?? "The run was stopped.");
  }

  /**
   * Trains a run, region or window, and commits it.
   * @returns undefined if it was stopped
   * @throws Error if it fails
   */
  return async ({ id, token, job }: TrainerRequest, signal: AbortSignal): Promise<FarmResult | undefined> => {
    const attempt = await store.startAttempt(id, token);
    /** Whether the attempt's folder has the finished run, which an error must not remove. */
    let isComplete = false;
    try {
      isComplete = await isAttemptComplete(attempt, job);
      // An earlier worker may have been killed right before or after its commit.
      if (store.has(job.run)) {
        await attempt.discard();
        return { host };
      }
      if (!isComplete) {
        const outcome = await (job.part
          ? trainPart(job, job.part, attempt.folder, signal)
          : trainRun(job, attempt, signal));
        // The next worker continues the attempt.
        if (outcome === "stopped") return undefined;
        if (outcome !== "done") {
          await attempt.discard();
          return { host, ...outcome };
        }
        isComplete = true;
      }
      await commitWithRetries(attempt, job.run, signal);
      return { host };
    } catch (error) {
      // Errors of a stopped worker are ignored, since another worker tries the job again.
      if (signal.aborted && !(error instanceof JobReassigned)) return undefined;
      if (!isComplete) await attempt.discard().catch(() => {});
      throw error;
    }
  };
}

/** Milliseconds: first pause between two attempts to commit, longest pause, and time until the last attempt. */
const [firstPause, longestPause, maxRetryTime] = [100, 30_000, 10 * 60_000];

/**
 * Commits a run. It retries for minutes, since a finished run may have taken hours. After that the attempt stays in its
 * folder.
 * @param signal ends the retries after one more attempt
 */
async function commitWithRetries(attempt: Attempt, run: string, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await attempt.commit(run);
    } catch (error) {
      const isOver = signal.aborted || performance.now() - start > maxRetryTime;
      if (isOver || error instanceof JobReassigned) throw error;
      await wait(pause, undefined, { signal }).catch(() => {});
    }
  }
}
