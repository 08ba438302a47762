import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { ConfigError } from "../engine/config.js";
import { disk } from "../runs/disk.js";
import { farmFolder, regionResultsFolder } from "../runs/farmFolder.js";
import { showLine } from "../terminal/progress.js";
import type { PendingJobs } from "./pendingJobs.js";
import { JobQueue } from "./queue.js";
import {
  connect,
  hasPassword,
  passwordVariable,
  type SharedRedis,
  type ShutdownWatch,
  watchShutdown,
  withoutPassword,
} from "./redis.js";
import { RedisServer } from "./redisServer.js";
import { Store } from "./store.js";
import { startWorkers } from "./workers.js";

/** The workers of a command. */
export interface FarmSettings {
  /** Number of workers that this command starts. */
  workers: number;
  /** Address of a shared Redis; the command starts its own if absent. */
  redis?: string;
  /** The folder that all machines share; the parent of the command's folder if absent. */
  runs?: string;
}

/** The job queue and the store of a command, and the workers that it starts. */
export class Farm {
  readonly queue: JobQueue;
  #shutdown: ShutdownWatch | undefined;
  #closing: Promise<void> | undefined;

  /** @param prefix of the command's runs in the store */
  private constructor(
    readonly out: string,
    readonly settings: FarmSettings,
    readonly quiet: boolean | undefined,
    readonly store: Store,
    readonly prefix: string,
    private readonly redis: SharedRedis,
    private readonly server?: RedisServer,
  ) {
    this.queue = new JobQueue(redis);
  }

  /**
   * Opens the queue, and starts a redis-server if no address is given.
   * @param out the command's folder, which has the files of this redis-server
   * @throws ConfigError, or Failure if Redis is not available
   */
  static async open(out: string, settings: FarmSettings, quiet: boolean | undefined): Promise<Farm> {
    const { store, prefix } = storageOf(out, settings);
    const notify = quiet ? undefined : showLine;
    if (settings.redis !== undefined)
      return new Farm(out, settings, quiet, store, prefix, await connect(settings.redis, notify));
    const folder = join(out, farmFolder, "redis");
    // The jobs of an earlier command are not needed, only its runs.
    await disk.remove(folder);
    let server: RedisServer | undefined;
    try {
      server = await RedisServer.start(folder);
      // The command's own server has no password.
      return new Farm(out, settings, quiet, store, prefix, await connect(server.address, notify, ""), server);
    } catch (error) {
      await server?.stop();
      await removeExceptResults(out);
      throw error;
    }
  }

  /** Starts this command's workers, and says how to start others where Redis is shared. */
  #startWorkers(): () => Promise<void> {
    const { workers: count, redis: address } = this.settings;
    const { name: runs } = this.store;
    const show = this.quiet ? undefined : showLine;
    if (address !== undefined) {
      const hint = hasPassword(address) ? `, and its password in ${passwordVariable}` : "";
      show?.(`Start workers with: splatbook worker --redis ${withoutPassword(address)} --runs ${runs}${hint}`);
    }
    return startWorkers(this.redis, { runs, count, onWarning: show, onRefusal: showLine });
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
    const throwUnlessCut = (error: unknown) => {
      if (!this.#shutdown?.isCut) throw error;
    };
    signal.addEventListener("abort", this.#startShutdown);
    if (signal.aborted) this.#startShutdown();
    const stopWorkers = this.#startWorkers();
    try {
      await jobs.run(queueFirst, signal).catch(throwUnlessCut);
    } finally {
      signal.removeEventListener("abort", this.#startShutdown);
      this.#startShutdown();
      await stopWorkers();
      await jobs.withdraw().catch((error) => {
        throwUnlessCut(error);
        showLine("Redis does not answer, so waiting jobs stay in its queue.");
      });
    }
  }

  /** Ends the queue and this command's Redis; once, however often it is called. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#startShutdown();
    try {
      await this.queue.close();
      await this.server?.stop();
      if (this.server) await removeExceptResults(this.out);
    } finally {
      this.#shutdown?.end();
    }
  }
}

/** @throws ConfigError if the workers cannot write into the command's folder */
function storageOf(out: string, { redis, runs }: FarmSettings) {
  // The command's own workers use its folder as the store.
  const store = new Store(runs ?? (redis === undefined ? out : dirname(resolve(out))));
  const path = relative(store.name, out);
  if (path.startsWith(".."))
    throw new ConfigError("out", out, `a folder inside --runs ${store.name}, where workers write runs`);
  return { store, prefix: path === "" ? "" : `${path.replaceAll(sep, "/")}/` };
}

/** Removes the files of workers except trained regions, which the next command uses. */
async function removeExceptResults(out: string): Promise<void> {
  const farmPath = join(out, farmFolder);
  const names = await readdir(farmPath).catch(() => []);
  for (const name of names) if (name !== basename(regionResultsFolder)) await disk.remove(join(farmPath, name));
  for (const folder of [regionResultsFolder, farmFolder]) await disk.rmdir(join(out, folder)).catch(() => {});
}
