import { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { toSingleLine } from "../engine/quoted.js";
import type { Failure } from "../terminal/failure.js";
import { codeVersion, type FarmJob, type FarmResult, idOf, readResult } from "./farmJob.js";
import { refusalOf } from "./redis.js";

/** Prefix of queue names in Redis. */
const queuePrefix = "splatbook ";

/** Returns the queue name for a version, so that workers get only jobs of their own version. */
export const queueName = (version: string) => `${queuePrefix}${version}`;

/** Retries of a failed job, since a failure may be due to one machine, such as a full disk. */
const retryOptions = { attempts: 4, backoff: { type: "exponential", delay: 500 } } as const;

/** The jobs of a version of splatbook in a Redis. */
export class JobQueue {
  readonly #queue: Queue<FarmJob, FarmResult>;
  readonly #redis: Redis;
  #events: QueueEvents | undefined;
  #onRefusal: ((refusal: Failure) => void) | undefined;

  constructor(
    redis: Redis,
    readonly version = codeVersion(),
  ) {
    this.#redis = redis;
    this.#queue = new Queue(queueName(version), { connection: redis });
    this.#queue.on("error", this.#onError);
  }

  /** A lost connection comes back by itself; a refusal of Redis is reported. */
  readonly #onError = (error: Error): void => {
    const refusal = refusalOf(error);
    if (refusal) this.#onRefusal?.(refusal);
  };

  /**
   * Queues jobs, except those that are waiting or running. Jobs that have ended run again.
   * @throws Failure if Redis refuses them
   */
  async put(jobs: FarmJob[]): Promise<void> {
    const opts = { ...retryOptions, removeOnComplete: true, removeOnFail: true, stackTraceLimit: 1 };
    const items = jobs.map((data) => ({ name: "run", data, opts: { ...opts, jobId: idOf(data) } }));
    await withRefusals(this.#queue.addBulk(items));
  }

  /**
   * Reports each job that ends from now on, in order.
   * @param onReconnect called when a lost Redis is back, possibly empty
   * @param onRefusal called with the reason if Redis refuses a command
   */
  async follow(
    onEnded: (id: string, result: FarmResult | Error) => void,
    onReconnect: () => void,
    onRefusal?: (refusal: Failure) => void,
  ): Promise<void> {
    this.#onRefusal = onRefusal;
    const events = new QueueEvents(queueName(this.version), { connection: this.#redis });
    this.#events = events;
    events.on("error", this.#onError);
    events.on("completed", ({ jobId, returnvalue }) => onEnded(jobId, readResult(returnvalue)));
    events.on("failed", ({ jobId, failedReason }) => onEnded(jobId, new Error(failedReason)));
    await events.waitUntilReady();
    this.#redis.on("ready", onReconnect);
  }

  /** Stops reporting jobs. */
  async unfollow(): Promise<void> {
    await this.#events?.close();
  }

  /**
   * Removes waiting jobs from the queue.
   * @throws Failure if Redis refuses it
   */
  async withdraw(ids: Iterable<string>): Promise<void> {
    await withRefusals(Promise.all(Array.from(ids, (id) => this.#queue.remove(id))));
  }

  /**
   * Returns the number of running jobs by host.
   * @param isIncluded selects jobs by id; all if absent
   */
  async running(isIncluded: (id: string) => boolean = () => true): Promise<Record<string, number>> {
    const hosts: Record<string, number> = {};
    for (const id of (await this.#queue.getRanges(["active"])).filter(isIncluded)) {
      // Only the host is read, since the job may be invalid. A job that has just ended has no host.
      const host = toSingleLine((await this.#redis.hget(this.#queue.toKey(id), "pb")) ?? "");
      if (host) hosts[host] = (hosts[host] ?? 0) + 1;
    }
    return hosts;
  }

  /** Returns the number of connected workers of this version. */
  workers(): Promise<number> {
    return this.#queue.getWorkersCount();
  }

  async close(): Promise<void> {
    await this.unfollow();
    await this.#queue.close();
    this.#redis.disconnect();
  }
}

async function withRefusals(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    throw refusalOf(error) ?? error;
  });
}
