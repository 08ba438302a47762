import { dirname, relative, resolve, sep } from "node:path";
import { ConfigError } from "../engine/config.js";
import { showLine } from "../terminal/progress.js";
import { LocalQueue } from "./localQueue.js";
import type { JobQueue, PendingJobs } from "./pendingJobs.js";
import { Store } from "./store.js";

/** The workers of a command: a number of its own processes, or those of a shared Redis. */
export type FarmSettings = { workers: number } | RedisSettings;

export interface RedisSettings {
  /** Address of the Redis. */
  redis: string;
  /** The folder that all machines share; the parent of the command's folder if absent. */
  runs?: string;
}

/** The job queue and the store of a command. */
export class Farm {
  readonly store: Store;

  /**
   * @param out the command's folder
   * @param folder its path in the folder that all machines share
   */
  private constructor(
    readonly out: string,
    readonly folder: string,
    readonly queue: JobQueue,
  ) {
    this.store = new Store(out);
  }

  /**
   * Starts the workers of a command, or connects to Redis and says how to start them.
   * @param out the command's folder
   * @throws ConfigError, or Failure if Redis is not available
   */
  static async open(out: string, settings: FarmSettings, quiet: boolean | undefined): Promise<Farm> {
    const notify = quiet ? undefined : showLine;
    if ("workers" in settings) return new Farm(out, "", new LocalQueue(out, settings.workers, notify));
    const { redis: address, runs = dirname(resolve(out)) } = settings;
    const path = relative(checkRuns(runs), out);
    if (path.startsWith(".."))
      throw new ConfigError("out", out, `a folder inside --runs ${runs}, where workers write runs`);
    const { connect, hasPassword, passwordVariable, withoutPassword } = await import("./redis.js");
    const { RedisQueue } = await import("./redisQueue.js");
    const queue = new RedisQueue(await connect(address, notify));
    const hint = hasPassword(address) ? `, and its password in ${passwordVariable}` : "";
    notify?.(`Start workers with: splatbook worker --redis ${withoutPassword(address)} --runs ${runs}${hint}`);
    return new Farm(out, path.replaceAll(sep, "/"), queue);
  }

  /**
   * Runs jobs on workers until they have ended or the signal aborts. Jobs that have not started by then are removed
   * from the queue.
   * @param queueFirst queues the first jobs
   */
  async runJobs(jobs: PendingJobs, queueFirst: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { queue } = this;
    const throwUnlessCut = (error: unknown) => {
      if (!queue.isCut) throw error;
    };
    const stop = () => void queue.stop();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    try {
      await jobs.run(queueFirst, signal).catch(throwUnlessCut);
    } finally {
      signal.removeEventListener("abort", stop);
      await queue.stop();
      await jobs.withdraw().catch((error) => {
        throwUnlessCut(error);
        showLine("Redis does not answer, so waiting jobs stay in its queue.");
      });
    }
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}

/**
 * Returns the folder that all machines share, as it was typed.
 * @throws ConfigError if it is no folder
 */
export function checkRuns(runs: string): string {
  if (runs.trim() !== "" && !/^\w+:\/\//.test(runs)) return runs;
  throw new ConfigError("runs", runs, "a folder that all machines share");
}
