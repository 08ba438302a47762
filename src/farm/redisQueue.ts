import { Queue, QueueEvents } from "bullmq";
import { toSingleLine } from "../engine/quoted.js";
import type { Failure } from "../terminal/failure.js";
import { codeVersion, type FarmJob, type FarmResult, idOf, readResult } from "./farmJob.js";
import type { JobQueue } from "./pendingJobs.js";
import { refusalOf, type SharedRedis, type ShutdownWatch, watchShutdown } from "./redis.js";

/** Returns the queue name for a version, so that workers get only jobs of their own version. */
export const queueName = (version = codeVersion()) => `splatbook ${version}`;

/** Retries of a failed job, since a failure may be due to one machine, such as a full disk. */
const retryOptions = { attempts: 4, backoff: { type: "exponential", delay: 500 } } as const;

/** The jobs of a version of splatbook in a Redis. */
export class RedisQueue implements JobQueue {
  readonly #queue: Queue<FarmJob, FarmResult>;
  readonly #redis: SharedRedis;
  #events: QueueEvents | undefined;
  #shutdown: ShutdownWatch | undefined;
  #onRefusal: ((refusal: Failure) => void) | undefined;

  constructor(
    redis: SharedRedis,
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

  /** @throws Failure if Redis refuses them */
  async put(jobs: FarmJob[]): Promise<void> {
    const opts = { ...retryOptions, removeOnComplete: true, removeOnFail: true, stackTraceLimit: 1 };
    const items = jobs.map((data) => ({ name: "run", data, opts: { ...opts, jobId: idOf(data) } }));
    await withRefusals(this.#queue.addBulk(items));
  }

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

  /** @throws Failure if Redis refuses it */
  async withdraw(ids: Iterable<string>): Promise<void> {
    await withRefusals(Promise.all(Array.from(ids, (id) => this.#queue.remove(id))));
  }

  async status(isIncluded: (id: string) => boolean) {
    const running: Record<string, number> = {};
    for (const id of (await this.#queue.getRanges(["active"])).filter(isIncluded)) {
      // Only the host is read, since the job may be invalid. A job that has just ended has no host.
      const host = toSingleLine((await this.#redis.hget(this.#queue.toKey(id), "pb")) ?? "");
      if (host) running[host] = (running[host] ?? 0) + 1;
    }
    if ((await this.#queue.getWorkersCount()) > 0) return { running };
    return { running, idle: `no worker of splatbook ${this.version} is connected` };
  }

  async stop(): Promise<void> {
    this.#shutdown ??= watchShutdown(this.#redis, () => void this.#events?.close());
  }

  get isCut(): boolean {
    return this.#shutdown?.isCut ?? false;
  }

  async close(): Promise<void> {
    await this.stop();
    try {
      await this.#events?.close();
      await this.#queue.close();
    } finally {
      this.#shutdown?.end();
      this.#redis.disconnect();
    }
  }
}

async function withRefusals(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    throw refusalOf(error) ?? error;
  });
}
