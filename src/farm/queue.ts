import { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { printable, toSingleLine } from "../engine/quoted.js";
import type { Failure } from "../terminal/failure.js";
import { codeVersion, type FarmJob, type FarmResult, idOf, readResult } from "./farmJob.js";
import { refusalOf } from "./redis.js";

/** What queues are called in a Redis before their version. */
const queuePrefix = "splatbook ";

/** What the queue of all jobs of a version is called in a Redis, so that workers see only those that they can do. */
export const queueName = (version: string) => `${queuePrefix}${version}`;

/** How often a run is tried: a failure may be its machine's alone, such as a full disk. */
const retryOptions = { attempts: 4, backoff: { type: "exponential", delay: 500 } } as const;

/** Jobs that have ended and are still told of by `--status`, of each kind. */
const retention = { count: 10_000 };

/** Jobs of each kind. */
interface Counts {
  waiting: number;
  running: number;
  done: number;
  failed: number;
  /** Workers that are connected. */
  workers: number;
  /** What is running, by host. */
  hosts: Record<string, number>;
}

/** Jobs of all versions of splatbook together, and of each. */
export interface AllCounts extends Counts {
  versions: Record<string, Counts>;
}

/** The jobs of all sweeps of a version that a Redis holds. */
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

  /** A lost connection is waited for; what Redis refuses, it refuses again. */
  readonly #onError = (error: Error): void => {
    const refusal = refusalOf(error);
    if (refusal) this.#onRefusal?.(refusal);
  };

  /**
   * Puts jobs, of which those that wait or run already stay as they are, and those that have ended begin anew.
   * @throws Failure if Redis refuses them
   */
  put(jobs: FarmJob[]): Promise<void> {
    return withRefusals(this.#put(jobs));
  }

  async #put(jobs: FarmJob[]): Promise<void> {
    const entries = jobs.map((data) => ({ id: idOf(data), data }));
    const removeIfEnded = async ({ id }: { id: string }) =>
      ["completed", "failed"].includes(await this.#queue.getJobState(id)) && this.#queue.remove(id);
    await Promise.all(entries.map(removeIfEnded));
    const opts = { ...retryOptions, removeOnComplete: retention, removeOnFail: retention, stackTraceLimit: 1 };
    await this.#queue.addBulk(entries.map(({ id, data }) => ({ name: "run", data, opts: { ...opts, jobId: id } })));
  }

  /**
   * Tells of each job that ends from now on, in their order.
   * @param onReconnect what to do when a Redis that had gone is there again, perhaps with nothing in it
   * @param onRefusal hears why Redis tells no more
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

  /** Hears no more of jobs. */
  async unfollow(): Promise<void> {
    await this.#events?.close();
  }

  /**
   * Takes back jobs that nobody has begun.
   * @throws Failure if Redis refuses that
   */
  async withdraw(ids: Iterable<string>): Promise<void> {
    await withRefusals(Promise.all(Array.from(ids, (id) => this.#queue.remove(id))));
  }

  /** @param isIncluded which jobs are meant, by their ids; all of them if absent */
  async running(isIncluded: (id: string) => boolean = () => true): Promise<Record<string, number>> {
    const hosts: Record<string, number> = {};
    for (const id of (await this.#queue.getRanges(["active"])).filter(isIncluded)) {
      // The job itself may be one that cannot be read, and one that ended since it was listed has nothing to tell.
      const host = toSingleLine((await this.#redis.hget(this.#queue.toKey(id), "pb")) ?? "");
      if (host) hosts[host] = (hosts[host] ?? 0) + 1;
    }
    return hosts;
  }

  /** How many workers of this version are connected. */
  workers(): Promise<number> {
    return this.#queue.getWorkersCount();
  }

  async counts(): Promise<Counts> {
    const { active, completed, failed, ...others } = await this.#queue.getJobCounts();
    const waiting = sum(Object.values(others));
    const workers = await this.workers();
    return { waiting, running: active, done: completed, failed, workers, hosts: await this.running() };
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

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

/** Counts the jobs in a Redis, of whichever version of splatbook. */
export async function countJobs(redis: Redis): Promise<AllCounts> {
  const [prefix, suffix] = [`bull:${queuePrefix}`, ":meta"];
  const versions: Record<string, Counts> = {};
  for await (const keys of redis.scanStream({ match: `${prefix}*${suffix}`, count: 1000 })) {
    for (const version of keys.map((key: string) => key.slice(prefix.length, -suffix.length))) {
      versions[printable(version)] = await new JobQueue(redis, version).counts();
    }
  }
  const all = Object.values(versions);
  const total = (kind: Exclude<keyof Counts, "hosts">) => sum(all.map((counts) => counts[kind]));
  const hosts: Record<string, number> = {};
  for (const [host, count] of all.flatMap((counts) => Object.entries(counts.hosts))) {
    hosts[host] = (hosts[host] ?? 0) + count;
  }
  const [waiting, running, done] = [total("waiting"), total("running"), total("done")];
  return { waiting, running, done, failed: total("failed"), workers: total("workers"), hosts, versions };
}
