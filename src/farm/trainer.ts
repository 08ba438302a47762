import { hostname } from "node:os";
import { ConfigError, completeConfig, type TrainConfig } from "../engine/config.js";
import { hasEnded } from "../engine/files/runDescription.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { withPresentNames } from "../engine/oldNames.js";
import { fitTask } from "../engine/regions/fit.js";
import { decodeImageBytes } from "../host/node/imageFile.js";
import { describeEngine } from "../runs/describeEngine.js";
import { Engines } from "../runs/engines.js";
import { floatsOf } from "../runs/regions/floats.js";
import { openRunFolder } from "../runs/runFolder.js";
import { trainSweptRun } from "../runs/sweptRun.js";
import { Failure, toFailure } from "../terminal/failure.js";
import { type FarmJob, type FarmResult, inputName, type RegionTask } from "./farmJob.js";
import { readLearned, writeLearned } from "./learnedRegion.js";
import { retry } from "./retry.js";
import { type Attempt, JobReassigned, type Store } from "./store.js";

/** The config of a job, which may come from an earlier version. */
function configOf({ config }: FarmJob): TrainConfig {
  return completeConfig(withPresentNames(config));
}

/** What a trainer is asked. */
export interface TrainerRequest {
  /** Of the job. */
  id: string;
  /** Of the lock on it, which no two workers that were given the job have in common. */
  token: string;
  job: FarmJob;
}

/**
 * What trains runs and commits them to a store.
 * @param threads of the CPU engine
 */
export function trainerFor(baseStore: Store, threads: number) {
  const host = hostname();
  const engines = { comparing: new Engines(true, true, threads), others: new Engines(true, false, threads) };
  /** The picture that was learned last, since the jobs of a sweep have one. */
  let lastImage: { hash: string; image: Image } | undefined;

  /** Whether what lies in an attempt's folder has ended: whoever was killed or stopped may have committed nothing of it. */
  async function isAttemptComplete({ hasProgress, folder }: Attempt, job: FarmJob): Promise<boolean> {
    if (!hasProgress) return false;
    return job.part ? Boolean(await readLearned(folder)) : hasEnded((await openRunFolder(folder)).description);
  }

  async function leaveAttempt(attempt: Attempt): Promise<undefined> {
    await attempt.leave();
    return undefined;
  }

  async function loadImage(job: FarmJob, store: Store): Promise<Image> {
    const hash = job.picture;
    if (lastImage?.hash === hash) return lastImage.image;
    const name = `The picture ${hash.slice(0, 8)} of ${store.name}`;
    const image = await decodeImageBytes(await store.get("picture", inputName(job, hash)), name);
    if ((await hashImage(image)) !== hash) throw new Failure(`${name} is not the one that was put there.`);
    lastImage = { hash, image };
    return image;
  }

  /**
   * Learns a part of a picture into a folder, unless it is stopped.
   * @returns why it cannot be
   */
  async function learnRegionTask(job: FarmJob, { part, size, blobs }: RegionTask, folder: string, signal: AbortSignal) {
    const store = baseStore.withSignal(signal);
    try {
      const engine = await engines.others.engineFor(job.config.pipeline);
      const config = engine.adaptConfig(configOf(job));
      const start = blobs === undefined ? undefined : floatsOf(await store.get("blobs", inputName(job, blobs)));
      const image = await loadImage(job, store);
      const learningOptions = { backend: engine.backend, signal, recordEvery: job.recordEvery };
      const learned = await fitTask(config, part, size, image, start, learningOptions);
      if (!signal.aborted) await writeLearned(folder, config, learned, describeEngine(engine));
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError) return toFailure(error).message;
      throw error;
    }
  }

  /**
   * Trains a run, or a part of one.
   * @returns undefined if it was stopped, for whoever goes on with it
   * @throws Error if it fails
   */
  return async ({ id, token, job }: TrainerRequest, signal: AbortSignal): Promise<FarmResult | undefined> => {
    const activeStore = baseStore.withSignal(signal);
    const attempt = await activeStore.startAttempt(id, token);
    let isComplete = false;
    /** What has ended took hours, and a network that is down comes back: it is tried for minutes, and then kept. */
    const commit = async (): Promise<FarmResult> => {
      isComplete = true;
      await retry(
        () => attempt.commit(job.run),
        (error) => !(error instanceof JobReassigned),
        signal,
      );
      return { host };
    };
    try {
      // Before the store is asked, which may be away.
      isComplete = await isAttemptComplete(attempt, job);
      // Whoever had the job before may have been killed between its commit and saying so, or right before its commit.
      if (await activeStore.has(job.run)) {
        await attempt.discard();
        return { host };
      }
      if (isComplete) return await commit();
      if (job.part) {
        const refused = await learnRegionTask(job, job.part, attempt.folder, signal);
        if (signal.aborted && !(await readLearned(attempt.folder))) return await leaveAttempt(attempt);
        if (refused === undefined) return await commit();
        await attempt.discard();
        return { host, refused };
      }
      const common = { ...job, image: await loadImage(job, activeStore), imageHash: job.picture };
      const run = { common, config: configOf(job), out: attempt.folder, hasProgress: attempt.hasProgress };
      const result = await trainSweptRun(
        run,
        engines[job.comparesPipelines ? "comparing" : "others"],
        undefined,
        signal,
      );
      if (signal.aborted && result?.status !== "done") return await leaveAttempt(attempt);
      if (result?.status === "refused") {
        await attempt.discard();
        return { host, refused: result.sentence };
      }
      if (result?.status !== "done") throw new Failure(result?.sentence ?? "The run was stopped.");
      return await commit();
    } catch (error) {
      // What fails for who is stopped is tried by who goes on with it.
      if (signal.aborted && !(error instanceof JobReassigned))
        return isComplete ? undefined : await leaveAttempt(attempt);
      if (!isComplete) await attempt.discard().catch(() => {});
      throw error;
    }
  };
}
