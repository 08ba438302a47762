import { hostname } from "node:os";
import { ConfigError, completeConfig, type TrainConfig } from "../engine/config.js";
import { hasEnded } from "../engine/files/runDescription.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { withPresentNames } from "../engine/oldNames.js";
import { learnPart } from "../engine/regions/learn.js";
import { decodePicture } from "../host/node/imageFile.js";
import { describeEngine } from "../runs/describeEngine.js";
import { Engines } from "../runs/engines.js";
import { floatsOf } from "../runs/regions/floats.js";
import { openRunFolder } from "../runs/runFolder.js";
import { trainSweptRun } from "../runs/sweptRun.js";
import { Failure, toFailure } from "../terminal/failure.js";
import { type FarmJob, type FarmPart, type FarmResult, givenName } from "./farmJob.js";
import { readLearned, writeLearned } from "./learnedPart.js";
import { patiently } from "./patience.js";
import { type Attempt, GivenAway, type Store } from "./store.js";

/** The config of a job, which may come from an earlier version. */
function configOf({ config }: FarmJob): TrainConfig {
  return completeConfig(withPresentNames(config));
}

/** What a trainer is asked. */
export interface TrainerQuestion {
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
export function trainerFor(stored: Store, threads: number) {
  const host = hostname();
  const engines = { comparing: new Engines(true, true, threads), others: new Engines(true, false, threads) };
  /** The picture that was learned last, since the jobs of a sweep have one. */
  let last: { hash: string; image: Image } | undefined;

  /** Whether what lies in an attempt's folder has ended: whoever was killed or stopped may have committed nothing of it. */
  async function hasEndedIn({ isBegun, folder }: Attempt, job: FarmJob): Promise<boolean> {
    if (!isBegun) return false;
    return job.part ? Boolean(await readLearned(folder)) : hasEnded((await openRunFolder(folder)).description);
  }

  async function leave(attempt: Attempt): Promise<undefined> {
    await attempt.leave();
    return undefined;
  }

  async function pictureOf(job: FarmJob, store: Store): Promise<Image> {
    const hash = job.picture;
    if (last?.hash === hash) return last.image;
    const name = `The picture ${hash.slice(0, 8)} of ${store.name}`;
    const image = await decodePicture(await store.get("picture", givenName(job, hash)), name);
    if ((await hashImage(image)) !== hash) throw new Failure(`${name} is not the one that was put there.`);
    last = { hash, image };
    return image;
  }

  /**
   * Learns a part of a picture into a folder, unless it is stopped.
   * @returns why it cannot be
   */
  async function learnFarmed(job: FarmJob, { part, size, blobs }: FarmPart, folder: string, signal: AbortSignal) {
    const store = stored.within(signal);
    try {
      const engine = await engines.others.of(job.config.pipeline);
      const config = engine.asTrained(configOf(job));
      const start = blobs === undefined ? undefined : floatsOf(await store.get("blobs", givenName(job, blobs)));
      const image = await pictureOf(job, store);
      const learning = { backend: engine.backend, signal, recordEvery: job.recordEvery };
      const learned = await learnPart(config, part, size, image, start, learning);
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
  return async ({ id, token, job }: TrainerQuestion, signal: AbortSignal): Promise<FarmResult | undefined> => {
    const here = stored.within(signal);
    const attempt = await here.begin(id, token);
    let isEnded = false;
    /** What has ended took hours, and a network that is down comes back: it is tried for minutes, and then kept. */
    const commit = async (): Promise<FarmResult> => {
      isEnded = true;
      await patiently(
        () => attempt.commit(job.run),
        (error) => !(error instanceof GivenAway),
        signal,
      );
      return { host };
    };
    try {
      // Before the store is asked, which may be away.
      isEnded = await hasEndedIn(attempt, job);
      // Whoever had the job before may have been killed between its commit and saying so, or right before its commit.
      if (await here.has(job.run)) {
        await attempt.discard();
        return { host };
      }
      if (isEnded) return await commit();
      if (job.part) {
        const refused = await learnFarmed(job, job.part, attempt.folder, signal);
        if (signal.aborted && !(await readLearned(attempt.folder))) return await leave(attempt);
        if (refused === undefined) return await commit();
        await attempt.discard();
        return { host, refused };
      }
      const common = { ...job, image: await pictureOf(job, here), imageHash: job.picture };
      const run = { common, config: configOf(job), out: attempt.folder, isBegun: attempt.isBegun };
      const result = await trainSweptRun(
        run,
        engines[job.comparesPipelines ? "comparing" : "others"],
        undefined,
        signal,
      );
      if (signal.aborted && result?.status !== "done") return await leave(attempt);
      if (result?.status === "refused") {
        await attempt.discard();
        return { host, refused: result.sentence };
      }
      if (result?.status !== "done") throw new Failure(result?.sentence ?? "The run was stopped.");
      return await commit();
    } catch (error) {
      // What fails for who is stopped is tried by who goes on with it.
      if (signal.aborted && !(error instanceof GivenAway)) return isEnded ? undefined : await leave(attempt);
      if (!isEnded) await attempt.discard().catch(() => {});
      throw error;
    }
  };
}
