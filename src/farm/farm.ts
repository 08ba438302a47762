import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Redis } from "ioredis";
import { disk } from "../runs/disk.js";
import { farmFolder, regionResultsFolder } from "../runs/farmFolder.js";
import { showLine } from "../terminal/progress.js";
import type { FarmSettings } from "./farmStorage.js";
import type { PendingJobs } from "./pendingJobs.js";
import { JobQueue } from "./queue.js";
import { connect, hasPassword, passwordVariable, type ShutdownWatch, watchShutdown, withoutPassword } from "./redis.js";
import { RedisServer } from "./redisServer.js";
import { startWorkers } from "./workers.js";

type CleanUp = () => Promise<unknown>;

/** Starts a redis-server for one command, in its folder. */
async function startServer(out: string, cleanUps: CleanUp[]): Promise<RedisServer> {
  const folder = join(out, farmFolder, "redis");
  // The jobs of an earlier command are not needed, only its runs.
  await disk.remove(folder);
  cleanUps.push(() => removeExceptResults(out));
  const server = await RedisServer.start(folder);
  cleanUps.push(() => server.stop());
  return server;
}

/** Removes the files of workers except trained regions, which the next command uses. */
async function removeExceptResults(out: string): Promise<void> {
  const farmPath = join(out, farmFolder);
  const names = await readdir(farmPath).catch(() => []);
  for (const name of names) if (name !== basename(regionResultsFolder)) await disk.remove(join(farmPath, name));
  for (const folder of [regionResultsFolder, farmFolder]) await disk.rmdir(join(out, folder)).catch(() => {});
}

/** Runs the functions from the last to the first, and removes them. */
async function runAll(cleanUps: CleanUp[]): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}

/** The job queue, and the workers that this command starts. */
export class Farm {
  readonly queue: JobQueue;
  #shutdown: ShutdownWatch | undefined;

  private constructor(
    private readonly redis: Redis,
    private readonly settings: FarmSettings,
    /** Folder of the store. */
    private readonly runs: string,
    private readonly quiet: boolean | undefined,
    private readonly cleanUps: CleanUp[],
  ) {
    this.queue = new JobQueue(redis);
    cleanUps.push(() => this.queue.close());
  }

  /**
   * Opens the queue, and starts a redis-server if no address is given.
   * @param out the command's folder, which has the files of this redis-server
   * @param runs folder of the store
   * @throws Failure if Redis is not available
   */
  static async open(out: string, settings: FarmSettings, runs: string, quiet: boolean | undefined): Promise<Farm> {
    const cleanUps: CleanUp[] = [];
    try {
      const server = settings.redis === undefined ? await startServer(out, cleanUps) : undefined;
      // The command's own server has no password.
      const redis = await connect(server?.address ?? settings.redis!, quiet ? undefined : showLine, server && "");
      return new Farm(redis, settings, runs, quiet, cleanUps);
    } catch (error) {
      await runAll(cleanUps);
      throw error;
    }
  }

  /** Whether all workers end with the command. */
  get ownsWorkers(): boolean {
    return this.settings.redis === undefined;
  }

  /**
   * Starts this command's workers, and says how to start others where Redis is shared.
   * @returns a function that stops them; undefined if there are none
   */
  #startWorkers(): (() => Promise<void>) | undefined {
    const { redis, runs, quiet } = this;
    const { workers: count, redis: address } = this.settings;
    if (address !== undefined && !quiet) {
      const passwordHint = hasPassword(address) ? `, and its password in ${passwordVariable}` : "";
      showLine(
        `Start workers with: splatbook worker --redis ${withoutPassword(address)} --runs ${runs}${passwordHint}`,
      );
    }
    if (count === 0) return undefined;
    return startWorkers(redis, { runs, count, onWarning: quiet ? undefined : showLine, onRefusal: showLine });
  }

  /** Starts watching Redis while the command ends. */
  readonly #startShutdown = () => {
    this.#shutdown ??= watchShutdown(this.redis, () => void this.queue.unfollow());
  };

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
      await runAll(this.cleanUps);
    } finally {
      this.#shutdown?.end();
    }
  }
}
