import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { disk } from "../runs/disk.js";
import { farmFolder, regionResultsFolder, storeIdFile } from "../runs/farmFolder.js";
import { writeFile } from "../runs/staging.js";
import { showLine } from "../terminal/progress.js";
import type { FarmSettings, FarmStorage } from "./farmStorage.js";
import type { PendingJobs } from "./pendingJobs.js";
import { JobQueue } from "./queue.js";
import { connect, hasPassword, passwordVariable, type ShutdownWatch, watchShutdown, withoutPassword } from "./redis.js";
import { RedisServer } from "./redisServer.js";
import { startWorkers } from "./workers.js";

/** Removes the files of workers except trained regions, which the next command uses. */
async function removeExceptResults(out: string): Promise<void> {
  const farmPath = join(out, farmFolder);
  const names = await readdir(farmPath).catch(() => []);
  for (const name of names) if (name !== basename(regionResultsFolder)) await disk.remove(join(farmPath, name));
  for (const folder of [regionResultsFolder, farmFolder]) await disk.rmdir(join(out, folder)).catch(() => {});
}

/** The job queue, and the workers that this command starts. */
export class Farm {
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  #queue: JobQueue | undefined;
  #startWorkers!: () => (() => Promise<void>) | undefined;
  /** Starts watching Redis while the command ends. */
  #startShutdown = () => {};
  #shutdown: ShutdownWatch | undefined;

  private constructor(
    /** Whether all workers end with the command. */
    readonly ownsWorkers: boolean,
  ) {}

  /**
   * Opens the queue, and starts a redis-server if no address is given.
   * @param out the command's folder, which has the files of this redis-server
   * @throws Failure if Redis is not available
   */
  static async open(
    out: string,
    farm: FarmSettings,
    { runs, id }: FarmStorage,
    quiet: boolean | undefined,
  ): Promise<Farm> {
    const opened = new Farm(farm.redis === undefined);
    try {
      await opened.#open(out, farm, runs, quiet);
      if (id !== undefined) await writeFile(join(out, storeIdFile), new TextEncoder().encode(id));
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async #open(
    out: string,
    { workers: count, redis: givenAddress }: FarmSettings,
    runs: string,
    quiet: boolean | undefined,
  ) {
    let server: RedisServer | undefined;
    if (givenAddress === undefined) {
      const farmPath = join(out, farmFolder);
      // The jobs of an earlier command are not needed, only its runs.
      await disk.remove(join(farmPath, "redis"));
      this.#cleanups.push(() => removeExceptResults(out));
      server = await RedisServer.start(join(farmPath, "redis"));
      this.#cleanups.push(() => server!.stop());
    }
    // The command's own server has no password.
    const redis = await connect(server?.address ?? givenAddress!, quiet ? undefined : showLine, server && "");
    const queue = new JobQueue(redis);
    this.#cleanups.push(() => queue.close());
    this.#startShutdown = () => {
      this.#shutdown ??= watchShutdown(redis, () => void queue.unfollow());
    };
    this.#queue = queue;
    this.#startWorkers = () => {
      if (givenAddress !== undefined && !quiet) {
        const passwordHint = hasPassword(givenAddress) ? `, and its password in ${passwordVariable}` : "";
        showLine(
          `Start workers with: splatbook worker --redis ${withoutPassword(givenAddress)} --runs ${runs}${passwordHint}`,
        );
      }
      if (count === 0) return undefined;
      return startWorkers(redis, { runs, count, onWarning: quiet ? undefined : showLine, onRefusal: showLine });
    };
  }

  get queue(): JobQueue {
    return this.#queue!;
  }

  /**
   * Runs jobs on workers until they have ended or the signal aborts. Jobs that have not started by then are removed
   * from the queue.
   * @param queueFirst queues the first jobs
   */
  async runJobs(jobs: PendingJobs, queueFirst: () => Promise<void>, signal: AbortSignal): Promise<void> {
    let stopWorkers: (() => Promise<void>) | undefined;
    const throwUnlessCut = (error: unknown) => {
      if (!this.#shutdown?.isCut) throw error;
    };
    signal.addEventListener("abort", this.#startShutdown);
    if (signal.aborted) this.#startShutdown();
    try {
      stopWorkers = this.#startWorkers();
      await jobs.run(queueFirst, signal).catch(throwUnlessCut);
    } finally {
      signal.removeEventListener("abort", this.#startShutdown);
      this.#startShutdown();
      await stopWorkers?.();
      await jobs.withdraw().catch((error) => {
        throwUnlessCut(error);
        showLine("Redis does not answer, so waiting jobs stay in its queue.");
      });
    }
  }

  async close(): Promise<void> {
    this.#startShutdown();
    try {
      for (const cleanUp of this.#cleanups.splice(0).reverse()) await cleanUp();
    } finally {
      this.#shutdown?.end();
    }
  }
}
