import { hostname } from "node:os";
import { type SandboxedJob, WaitingError } from "bullmq";
import { completeConfig } from "../../engine/config.js";
import { hashImage, type Image } from "../../engine/picture/image.js";
import { decodePicture } from "../../host/imageFile.js";
import { Engines } from "../engines.js";
import { Failure } from "../failure.js";
import { trainSweptRun } from "../sweptRun.js";
import { codeVersion, type FarmJob, type FarmResult } from "./farmJob.js";
import { openStore, type Store } from "./store.js";

// The process that trains for a worker, run after run, so that the worker's own process is free to renew locks while
// kernels run. It ends with the worker, also where that is killed, and not with its terminal.
process.on("disconnect", () => process.exit());
process.on("SIGHUP", () => {});

const version = codeVersion();
const store = await openStore(process.env.SPLATBOOK_RUNS!);
const threads = Number(process.env.SPLATBOOK_THREADS);
const host = hostname();

/** By whether they compare pipelines. */
const engines = new Map<boolean, Engines>();
/** The picture that was learned last, since the jobs of a sweep have one. */
let last: { hash: string; image: Image } | undefined;

/**
 * Trains a run and commits it to the store. One that is stopped goes back to those that wait, for whoever goes on with it.
 * @param token of the lock on the job, which no two workers that were given the job have in common
 * @throws Error if it fails
 */
export default async function train(
  job: SandboxedJob<FarmJob, FarmResult>,
  token: string,
  signal: AbortSignal,
): Promise<FarmResult> {
  const { data } = job;
  const putBack = async () => {
    await job.moveToWait(token);
    return new WaitingError();
  };
  if (data.version !== version) {
    await job.updateProgress({ otherVersion: data.version });
    throw await putBack();
  }
  const attempt = await store.begin(job.id!, token);
  try {
    // Whoever had the job before may have been killed between its commit and saying so.
    if (await store.has(data.run)) {
      await attempt.discard();
      return { host };
    }
    const image = await pictureOf(data.picture, store);
    const common = { ...data, image, imageHash: data.picture };
    const run = { common, config: completeConfig(data.config), out: attempt.folder, isBegun: attempt.isBegun };
    const result = await trainSweptRun(run, enginesFor(data), undefined, signal);
    if (signal.aborted && result?.status !== "done") throw await putBack();
    if (result?.status === "refused") {
      await attempt.discard();
      return { host, refused: result.sentence };
    }
    if (result?.status !== "done") throw new Failure(result?.sentence ?? "The run was stopped.");
    await attempt.commit(data.run);
    return { host };
  } catch (error) {
    if (!(error instanceof WaitingError)) await attempt.discard().catch(() => {});
    throw error;
  }
}

function enginesFor({ comparesPipelines }: FarmJob): Engines {
  const opened = engines.get(comparesPipelines) ?? new Engines(true, comparesPipelines, threads);
  engines.set(comparesPipelines, opened);
  return opened;
}

async function pictureOf(hash: string, store: Store): Promise<Image> {
  if (last?.hash === hash) return last.image;
  const path = `The picture ${hash.slice(0, 8)} of ${store.name}`;
  const image = await decodePicture(await store.picture(hash), path);
  if ((await hashImage(image)) !== hash) throw new Failure(`${path} is not the one that was put there.`);
  last = { hash, image };
  return image;
}
