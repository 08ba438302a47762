import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { disk } from "../runs/disk.js";
import { farmFolder, idFile, partsFolder } from "../runs/farmFolder.js";
import { writeFile } from "../runs/staging.js";
import { Failure } from "../terminal/failure.js";
import { openStore } from "./openStore.js";
import type { PendingJobs } from "./pendingJobs.js";
import { JobQueue } from "./queue.js";
import { connect, hasPassword, type Leaving, leaving, passwordVariable, withoutPassword } from "./redis.js";
import { RedisServer } from "./redisServer.js";
import type { Store } from "./store.js";
import { startWorkers } from "./workers.js";

/** Who does the work of a command. */
export interface Farm {
  /** Workers of this command's own. */
  workers: number;
  /** The Redis of all workers; one of this command's own if absent. */
  redis?: string;
  /** Where all machines have the runs, as `openStore` takes it; the folder that the command's lies in if absent. */
  runs?: string;
}

/** Where workers leave what they make for a command's folder. */
export interface Place {
  /** As `openStore` takes it. */
  runs: string;
  store: Store;
  /** What runs are called in the store before their names, so that those of several commands may lie there. */
  prefix: string;
  /** What is at the end of that on S3, where folders of several machines have the same name. */
  id?: string;
}

/**
 * @param signal ends the patience with a store that cannot be reached
 * @throws ConfigError, Failure
 */
export async function placeOf(out: string, farm: Farm, signal?: AbortSignal): Promise<Place> {
  // Workers of this command's own need nothing beside its folder.
  const runs = farm.runs ?? (farm.redis === undefined ? out : dirname(resolve(out)));
  const opened = await openStore(runs);
  const store = signal ? opened.within(signal) : opened;
  if (!runs.includes("://")) return { runs, prefix: prefixOf(out, runs), store };
  const id = (await knownId(out)) ?? randomUUID();
  return { runs, prefix: `${basename(resolve(out))}-${id}/`, store, id };
}

/** The id of a command before this one, with whose jobs it goes on. */
async function knownId(out: string): Promise<string | undefined> {
  const text = await readFile(join(out, idFile), "utf8").catch(() => "");
  return /^[0-9a-f-]{36}$/.test(text) ? text : undefined;
}

/** Forgets the id, once nothing of the command is left on S3 that it would go on with. */
export async function forgetId(out: string): Promise<void> {
  await disk.remove(join(out, idFile));
  await disk.rmdir(join(out, farmFolder)).catch(() => {});
}

function prefixOf(out: string, runs: string): string {
  const path = relative(runs, out);
  if (path.startsWith(".."))
    throw new Failure(`--out, ${out}, has to lie in --runs, ${runs}, since that is where workers leave runs.`, 2);
  return path === "" ? "" : `${path.replaceAll(sep, "/")}/`;
}

/** Removes what workers were given. What they have learned, the next command goes on with. */
async function removeButParts(out: string): Promise<void> {
  const home = join(out, farmFolder);
  const names = await readdir(home).catch(() => []);
  for (const name of names) if (name !== basename(partsFolder)) await disk.remove(join(home, name));
  for (const folder of [partsFolder, farmFolder]) await disk.rmdir(join(out, folder)).catch(() => {});
}

const tell = (text: string) => void process.stderr.write(`${text}\n`);

/** The queue of all workers, and those of this command's own. */
export class OpenFarm {
  readonly #ends: (() => Promise<unknown>)[] = [];
  #queue: JobQueue | undefined;
  #startWorkers!: () => (() => Promise<void>) | undefined;
  /** Watches Redis from now on, since the command is to end. */
  #leave = () => {};
  #leaving: Leaving | undefined;

  private constructor(
    /** Whether no worker is left when the command ends. */
    readonly isOurs: boolean,
  ) {}

  /**
   * @param out the command's folder, in which a redis-server of its own keeps its files
   * @throws Failure if Redis cannot be had
   */
  static async open(out: string, farm: Farm, { runs, id }: Place, quiet: boolean | undefined): Promise<OpenFarm> {
    const opened = new OpenFarm(farm.redis === undefined);
    try {
      await opened.#open(out, farm, runs, quiet);
      if (id !== undefined) await writeFile(join(out, idFile), new TextEncoder().encode(id));
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async #open(out: string, { workers: count, redis: given }: Farm, runs: string, quiet: boolean | undefined) {
    let server: RedisServer | undefined;
    if (given === undefined) {
      const home = join(out, farmFolder);
      // Of a command before this one, what counts is its runs.
      await disk.remove(join(home, "redis"));
      this.#ends.push(() => removeButParts(out));
      server = await RedisServer.start(join(home, "redis"));
      this.#ends.push(() => server!.stop());
    }
    // A server of the command's own has no password.
    const redis = await connect(server?.address ?? given!, quiet ? undefined : tell, server && "");
    const queue = new JobQueue(redis);
    this.#ends.push(() => queue.close());
    this.#leave = () => {
      this.#leaving ??= leaving(redis, () => void queue.unfollow());
    };
    this.#queue = queue;
    this.#startWorkers = () => {
      if (given !== undefined && !quiet) {
        const secret = hasPassword(given) ? `, and its password in ${passwordVariable}` : "";
        tell(`Workers are started with: splatbook worker --redis ${withoutPassword(given)} --runs ${runs}${secret}`);
      }
      if (count === 0) return undefined;
      return startWorkers(redis, { runs, count, onTrouble: quiet ? undefined : tell, onRefusal: tell });
    };
  }

  get queue(): JobQueue {
    return this.#queue!;
  }

  /**
   * Has jobs done, until they have ended or the signal comes; what nobody has begun by then is taken back.
   * @param putFirst puts the first of them, while workers begin with what there is
   */
  async work(jobs: PendingJobs, putFirst: () => Promise<void>, signal: AbortSignal): Promise<void> {
    let stopWorkers: (() => Promise<void>) | undefined;
    const unlessCut = (error: unknown) => {
      if (!this.#leaving?.isCut) throw error;
    };
    signal.addEventListener("abort", this.#leave);
    if (signal.aborted) this.#leave();
    try {
      stopWorkers = this.#startWorkers();
      await jobs.run(putFirst, signal).catch(unlessCut);
    } finally {
      signal.removeEventListener("abort", this.#leave);
      this.#leave();
      await stopWorkers?.();
      await jobs.takeBack().catch((error) => {
        unlessCut(error);
        tell("Redis does not answer, so jobs that no worker has begun stay there.");
      });
    }
  }

  async close(): Promise<void> {
    this.#leave();
    try {
      for (const end of this.#ends.splice(0).reverse()) await end();
    } finally {
      this.#leaving?.end();
    }
  }
}
