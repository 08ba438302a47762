import { Queue, QueueEvents } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import { ConfigError } from "../../engine/config.js";
import { inLine, printable } from "../../engine/quoted.js";
import { Failure } from "../failure.js";
import { codeVersion, type FarmJob, type FarmResult, idOf, readResult } from "./farmJob.js";

/** What queues are called in a Redis before their version. */
const queuePrefix = "splatbook ";

/** What the queue of all jobs of a version is called in a Redis, so that workers see only those that they can do. */
export const queueOf = (version: string) => `${queuePrefix}${version}`;

/** How often a run is tried: a failure may be its machine's alone, such as a full disk. */
const tries = { attempts: 4, backoff: { type: "exponential", delay: 500 } } as const;

/** Jobs that have ended and are still told of by `--status`, of each kind. */
const kept = { count: 10_000 };

/** Milliseconds between two tries to reach a Redis that has gone. */
const retryEvery = 500;

/**
 * Connects to a Redis. One that goes away later is waited for, however long.
 * @param address redis://, rediss://, or unix: and the path of a socket
 * @param tell what is told when it goes, and when it is back
 * @throws ConfigError, or Failure if none answers
 */
export async function connect(address: string, tell?: (text: string) => void): Promise<Redis> {
  let isReached = false;
  let isGone = false;
  let trouble = "";
  const redis = new Redis({
    ...optionsOf(address),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: () => (isReached ? retryEvery : null),
  });
  // What BullMQ would print of each try, every connection of its own.
  redis.on("error", (error) => {
    trouble = error.message;
  });
  redis.on("reconnecting", () => {
    if (!isGone) tell?.("Redis has gone; it is waited for.");
    isGone = true;
  });
  redis.on("ready", () => {
    if (isGone) tell?.("Redis is back.");
    isGone = false;
  });
  try {
    await redis.connect();
    await redis.ping();
    isReached = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    const why = trouble || (error as Error).message;
    throw new Failure(`No Redis answers at ${withoutPassword(address)}: ${why.replace(/[.\s]*$/, ".")}`);
  }
}

function optionsOf(address: string): RedisOptions {
  if (/^unix:./.test(address)) return { path: address.slice("unix:".length) };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.hostname || !["redis:", "rediss:"].includes(url.protocol)) {
    throw new ConfigError("redis", withoutPassword(address), "redis://HOST:PORT, rediss://HOST:PORT or unix:PATH");
  }
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    db: Number(url.pathname.slice(1)) || 0,
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.protocol === "rediss:" && { tls: {} }),
  };
}

/** An address as it may be shown. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, "//");
}

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

  constructor(
    redis: Redis,
    readonly version = codeVersion(),
  ) {
    this.#redis = redis;
    this.#queue = new Queue(queueOf(version), { connection: redis });
    this.#queue.on("error", () => {});
  }

  /** Puts jobs, of which those that wait or run already stay as they are, and those that have ended begin anew. */
  async put(jobs: FarmJob[]): Promise<void> {
    const entries = jobs.map((data) => ({ id: idOf(data), data }));
    const hasEnded = async ({ id }: { id: string }) =>
      ["completed", "failed"].includes(await this.#queue.getJobState(id)) && this.#queue.remove(id);
    await Promise.all(entries.map(hasEnded));
    const opts = { ...tries, removeOnComplete: kept, removeOnFail: kept, stackTraceLimit: 1 };
    await this.#queue.addBulk(entries.map(({ id, data }) => ({ name: "run", data, opts: { ...opts, jobId: id } })));
  }

  /**
   * Tells of each job that ends from now on, in their order.
   * @param again what to do when a Redis that had gone is there again, perhaps with nothing in it
   */
  async follow(ended: (id: string, result: FarmResult | Error) => void, again: () => void): Promise<void> {
    const events = new QueueEvents(queueOf(this.version), { connection: this.#redis });
    this.#events = events;
    events.on("error", () => {});
    events.on("completed", ({ jobId, returnvalue }) => ended(jobId, readResult(returnvalue)));
    events.on("failed", ({ jobId, failedReason }) => ended(jobId, new Error(failedReason)));
    await events.waitUntilReady();
    this.#redis.on("ready", again);
  }

  /** Takes back jobs that nobody has begun. */
  async takeBack(ids: Iterable<string>): Promise<void> {
    await Promise.all(Array.from(ids, (id) => this.#queue.remove(id)));
  }

  /** @param isAsked which jobs are meant, by their ids; all of them if absent */
  async running(isAsked: (id: string) => boolean = () => true): Promise<Record<string, number>> {
    const hosts: Record<string, number> = {};
    for (const id of (await this.#queue.getRanges(["active"])).filter(isAsked)) {
      // The job itself may be one that cannot be read, and one that ended since it was listed has nothing to tell.
      const host = inLine((await this.#redis.hget(this.#queue.toKey(id), "pb")) ?? "");
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
    await this.#events?.close();
    await this.#queue.close();
    this.#redis.disconnect();
  }
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

/** Counts the jobs in a Redis, of whichever version of splatbook. */
export async function countJobs(redis: Redis): Promise<AllCounts> {
  const [before, after] = [`bull:${queuePrefix}`, ":meta"];
  const versions: Record<string, Counts> = {};
  for await (const keys of redis.scanStream({ match: `${before}*${after}`, count: 1000 })) {
    for (const version of keys.map((key: string) => key.slice(before.length, -after.length))) {
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
