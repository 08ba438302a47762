import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { SweptRow } from "../../engine/files/sweepFile.js";
import { type PlannedRun, withoutResult } from "../../engine/sweep/sweep.js";
import { encodePng } from "../../host/imageFile.js";
import { holdFolder } from "../claimFolder.js";
import { disk } from "../disk.js";
import { Failure, toFailure } from "../failure.js";
import { SweepFolder } from "../sweepFolder.js";
import { comparesPipelines, type SweepJob } from "../sweepJob.js";
import { type Standing, standingOf } from "../trainSweep.js";
import { codeVersion, type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import { FarmProgress } from "./farmProgress.js";
import { farmFolder } from "./folderStore.js";
import { openStore } from "./openStore.js";
import { connect, JobQueue, withoutPassword } from "./queue.js";
import { RedisServer } from "./redisServer.js";
import type { Store } from "./store.js";
import { startWorkers } from "./workers.js";

/** Who trains the runs of a sweep. */
export interface Farm {
  /** Workers of this command's own. */
  workers: number;
  /** The Redis of all workers; one of this command's own if absent. */
  redis?: string;
  /** Where all machines have the runs, as `openStore` takes it; the folder that the sweep's lies in if absent. */
  runs?: string;
}

/** Milliseconds between two tables that are written, and between two looks at who is running. */
const [writesEvery, looksEvery] = [1000, 2000];

/** Milliseconds that a run which a worker has committed may take to be seen here. */
const longestDelay = 60_000;

/**
 * Has workers train what is missing of a sweep.
 * @throws Failure if another command writes into the sweep's folder, or it holds something else, or Redis cannot be had
 */
export async function farmSweep(
  job: SweepJob,
  plan: PlannedRun[],
  farm: Farm,
  quiet: boolean | undefined,
  signal: AbortSignal,
): Promise<SweptRow[]> {
  const release = await holdFolder(job.out);
  const ends: (() => Promise<unknown>)[] = [release];
  try {
    const folder = await SweepFolder.open(job);
    // Workers of this command's own need nothing beside the sweep's folder.
    const runs = farm.runs ?? (farm.redis === undefined ? job.out : dirname(resolve(job.out)));
    const prefix = prefixOf(job.out, runs);
    const store = await openStore(runs);
    const standing = await standingOf(folder, plan);
    await folder.describe();
    if (standing.missing.size === 0) return await folder.keep(standing.rows);
    let server: RedisServer | undefined;
    if (farm.redis === undefined) {
      const home = join(job.out, farmFolder);
      // Of a sweep before this one, what counts is its runs.
      await disk.remove(join(home, "redis"));
      ends.push(() => disk.remove(home));
      server = await RedisServer.start(join(home, "redis"));
      ends.push(() => server!.stop());
    }
    const redis = await connect(server?.address ?? farm.redis!, quiet ? undefined : tell);
    const queue = new JobQueue(redis);
    ends.push(() => queue.close());
    const sweep = new FarmedSweep(folder, plan, store, queue, prefix, quiet);
    await sweep.begin(standing);
    if (farm.redis !== undefined && !quiet) {
      tell(`Workers are started with: splatbook worker --redis ${withoutPassword(farm.redis)} --runs ${runs}`);
    }
    let stopWorkers: (() => Promise<void>) | undefined;
    try {
      if (farm.workers > 0) {
        const onRefusal = (refusal: Failure) => sweep.fail(refusal);
        stopWorkers = startWorkers(redis, {
          runs,
          count: farm.workers,
          onTrouble: quiet ? undefined : tell,
          onRefusal,
        });
      }
      await sweep.ended(signal);
    } finally {
      await stopWorkers?.();
      await sweep.takeBack();
    }
    return await sweep.close(server !== undefined);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const tell = (text: string) => void process.stderr.write(`${text}\n`);

/** What runs are called in a store before their names, so that those of several sweeps may lie there. */
function prefixOf(out: string, runs: string): string {
  if (runs.includes("://")) return `${basename(resolve(out))}/`;
  const path = relative(runs, out);
  if (path.startsWith(".."))
    throw new Failure(`--out, ${out}, has to lie in --runs, ${runs}, since that is where workers leave runs.`, 2);
  return path === "" ? "" : `${path.replaceAll(sep, "/")}/`;
}

/** A sweep whose runs others train. */
class FarmedSweep {
  readonly #folder: SweepFolder;
  readonly #plan: PlannedRun[];
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #prefix: string;
  readonly #quiet: boolean | undefined;
  #progress: FarmProgress | undefined;
  #rows: (SweptRow | undefined)[] = [];
  /** Jobs that have not ended, and their places in the plan, by their ids. */
  readonly #pending = new Map<string, { place: number; job: FarmJob }>();
  /** What ended is taken in this order. */
  #taking = Promise.resolve();
  #writtenAt = 0;
  #settle!: { resolve: () => void; reject: (error: unknown) => void };
  readonly #isOver = new Promise<void>((resolve, reject) => {
    this.#settle = { resolve, reject };
  });

  constructor(
    folder: SweepFolder,
    plan: PlannedRun[],
    store: Store,
    queue: JobQueue,
    prefix: string,
    quiet: boolean | undefined,
  ) {
    this.#folder = folder;
    this.#plan = plan;
    this.#store = store;
    this.#queue = queue;
    this.#prefix = prefix;
    this.#quiet = quiet;
    // What fails before it is waited for is told there.
    this.#isOver.catch(() => {});
  }

  /** Puts what is missing. */
  async begin({ rows, missing }: Standing): Promise<void> {
    this.#rows = rows;
    await this.#folder.keep(rows);
    const { image, imageHash } = this.#folder.job;
    await this.#store.putPicture(imageHash, await encodePng(image));
    const version = codeVersion();
    for (const place of missing) {
      const job = this.#jobOf(this.#plan[place], version);
      this.#pending.set(idOf(job), { place, job });
      // A part of it was trained without workers.
      if (rows[place]) await this.#store.handOver(idOf(job), this.#folder.of(this.#plan[place]));
    }
    if (!this.#quiet) this.#progress = new FarmProgress(this.#plan.length);
    await this.#queue.follow(
      (id, result) => {
        this.#taking = this.#taking.then(() => this.#take(id, result)).catch((error) => this.fail(error));
      },
      () => this.#put(),
    );
    await this.#put();
  }

  #jobOf(run: PlannedRun, version: string): FarmJob {
    const { imageHash, imageName, recordEvery, recordGradientsEvery } = this.#folder.job;
    return {
      version,
      config: run.config!,
      picture: imageHash,
      imageName,
      run: `${this.#prefix}${run.name}`,
      ...(recordEvery !== undefined && { recordEvery }),
      ...(recordGradientsEvery !== undefined && { recordGradientsEvery }),
      comparesPipelines: comparesPipelines(this.#folder.job),
    };
  }

  #put(): Promise<void> {
    const jobs = Array.from(this.#pending.values(), ({ job }) => job);
    return this.#queue.put(jobs).catch((error) => this.fail(error));
  }

  async #take(id: string, result: FarmResult | Error): Promise<void> {
    const ended = this.#pending.get(id);
    if (!ended) return;
    const run = this.#plan[ended.place];
    const row = await this.#rowOf(run, ended.job, result);
    this.#pending.delete(id);
    this.#rows[ended.place] = row;
    this.#progress?.take(row, result instanceof Error ? undefined : result.host);
    if (performance.now() - this.#writtenAt > writesEvery) {
      await this.#folder.keep(this.#rows);
      this.#writtenAt = performance.now();
    }
    if (this.#pending.size === 0) this.#settle.resolve();
  }

  async #rowOf(run: PlannedRun, job: FarmJob, result: FarmResult | Error): Promise<SweptRow> {
    const without = (status: "failed" | "refused", sentence: string): SweptRow => ({
      values: run.values,
      run: "",
      ...withoutResult(status, sentence),
    });
    if (result instanceof Error) return without("failed", toFailure(result).message);
    if (result.refused !== undefined) return without("refused", result.refused);
    await this.#store.fetch(job.run, this.#folder.of(run));
    const since = performance.now();
    let before = await this.#folder.before(run, []);
    // A folder that machines share may show what others wrote a while later.
    while (!before && performance.now() - since < longestDelay) {
      await wait(500);
      before = await this.#folder.before(run, []);
    }
    return before?.row ?? without("failed", `${result.host} has trained it, but ${this.#folder.of(run)} is not there.`);
  }

  /** Resolves when all runs have ended, or the signal comes. */
  async ended(signal: AbortSignal): Promise<void> {
    const stop = () => this.#settle.resolve();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    const look = setInterval(async () => {
      const hosts = await this.#queue.running((id) => this.#pending.has(id)).catch(() => ({}));
      this.#progress?.show(this.#pending.size, hosts);
    }, looksEvery);
    try {
      await this.#isOver;
    } finally {
      clearInterval(look);
      signal.removeEventListener("abort", stop);
      this.#progress?.stop();
    }
  }

  /** What makes the sweep end in failure. */
  fail(error: unknown): void {
    this.#settle.reject(error);
  }

  /** Takes back what nobody has begun. */
  async takeBack(): Promise<void> {
    await this.#queue.takeBack(this.#pending.keys());
  }

  /**
   * Writes the table as it is in the end.
   * @param isOurs whether no worker is left that goes on with what was begun
   */
  async close(isOurs: boolean): Promise<SweptRow[]> {
    await this.#taking;
    for (const [id, { place }] of this.#pending) {
      const run = this.#plan[place];
      if (isOurs) await this.#store.takeOver(id, this.#folder.of(run));
      this.#rows[place] = (await this.#folder.before(run, []))?.row;
    }
    return this.#folder.keep(this.#rows);
  }
}
