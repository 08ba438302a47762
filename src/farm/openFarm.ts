import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { disk } from "../runs/disk.js";
import { farmFolder, regionResultsFolder, storeIdFile } from "../runs/farmFolder.js";
import { writeFile } from "../runs/staging.js";
import { Failure } from "../terminal/failure.js";
import { openStore } from "./openStore.js";
import type { PendingJobs } from "./pendingJobs.js";
import { JobQueue } from "./queue.js";
import { connect, hasPassword, passwordVariable, type ShutdownWatch, watchShutdown, withoutPassword } from "./redis.js";
import { RedisServer } from "./redisServer.js";
import type { Store } from "./store.js";
import { startWorkers } from "./workers.js";

/** Who does the work of a command. */
export interface FarmSettings {
  /** Workers of this command's own. */
  workers: number;
  /** The Redis of all workers; one of this command's own if absent. */
  redis?: string;
  /** Where all machines have the runs, as `openStore` takes it; the folder that the command's lies in if absent. */
  runs?: string;
}

/** Where workers leave what they make for a command's folder. */
export interface FarmStorage {
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
export async function openFarmStorage(out: string, farm: FarmSettings, signal?: AbortSignal): Promise<FarmStorage> {
  // Workers of this command's own need nothing beside its folder.
  const runs = farm.runs ?? (farm.redis === undefined ? out : dirname(resolve(out)));
  const opened = await openStore(runs);
  const store = signal ? opened.withSignal(signal) : opened;
  if (!runs.includes("://")) return { runs, prefix: prefixOf(out, runs), store };
  const id = (await readStoreId(out)) ?? randomUUID();
  return { runs, prefix: `${basename(resolve(out))}-${id}/`, store, id };
}

/** The id of a command before this one, with whose jobs it goes on. */
async function readStoreId(out: string): Promise<string | undefined> {
  const text = await readFile(join(out, storeIdFile), "utf8").catch(() => "");
  return /^[0-9a-f-]{36}$/.test(text) ? text : undefined;
}

/** Forgets the id, once nothing of the command is left on S3 that it would go on with. */
export async function removeStoreId(out: string): Promise<void> {
  await disk.remove(join(out, storeIdFile));
  await disk.rmdir(join(out, farmFolder)).catch(() => {});
}

function prefixOf(out: string, runs: string): string {
  const path = relative(runs, out);
  if (path.startsWith(".."))
    throw new Failure(`--out, ${out}, has to lie in --runs, ${runs}, since that is where workers leave runs.`, 2);
  return path === "" ? "" : `${path.replaceAll(sep, "/")}/`;
}

/** Removes what workers were given. What they have learned, the next command goes on with. */
async function removeExceptResults(out: string): Promise<void> {
  const farmPath = join(out, farmFolder);
  const names = await readdir(farmPath).catch(() => []);
  for (const name of names) if (name !== basename(regionResultsFolder)) await disk.remove(join(farmPath, name));
  for (const folder of [regionResultsFolder, farmFolder]) await disk.rmdir(join(out, folder)).catch(() => {});
}

const writeLine = (text: string) => void process.stderr.write(`${text}\n`);

/** The queue of all workers, and those of this command's own. */
export class OpenFarm {
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  #queue: JobQueue | undefined;
  #startWorkers!: () => (() => Promise<void>) | undefined;
  /** Watches Redis from now on, since the command is to end. */
  #startShutdown = () => {};
  #shutdown: ShutdownWatch | undefined;

  private constructor(
    /** Whether no worker is left when the command ends. */
    readonly ownsWorkers: boolean,
  ) {}

  /**
   * @param out the command's folder, in which a redis-server of its own keeps its files
   * @throws Failure if Redis cannot be had
   */
  static async open(
    out: string,
    farm: FarmSettings,
    { runs, id }: FarmStorage,
    quiet: boolean | undefined,
  ): Promise<OpenFarm> {
    const opened = new OpenFarm(farm.redis === undefined);
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
      // Of a command before this one, what counts is its runs.
      await disk.remove(join(farmPath, "redis"));
      this.#cleanups.push(() => removeExceptResults(out));
      server = await RedisServer.start(join(farmPath, "redis"));
      this.#cleanups.push(() => server!.stop());
    }
    // A server of the command's own has no password.
    const redis = await connect(server?.address ?? givenAddress!, quiet ? undefined : writeLine, server && "");
    const queue = new JobQueue(redis);
    this.#cleanups.push(() => queue.close());
    this.#startShutdown = () => {
      this.#shutdown ??= watchShutdown(redis, () => void queue.unfollow());
    };
    this.#queue = queue;
    this.#startWorkers = () => {
      if (givenAddress !== undefined && !quiet) {
        const passwordHint = hasPassword(givenAddress) ? `, and its password in ${passwordVariable}` : "";
        writeLine(
          `Workers are started with: splatbook worker --redis ${withoutPassword(givenAddress)} --runs ${runs}${passwordHint}`,
        );
      }
      if (count === 0) return undefined;
      return startWorkers(redis, { runs, count, onTrouble: quiet ? undefined : writeLine, onRefusal: writeLine });
    };
  }

  get queue(): JobQueue {
    return this.#queue!;
  }

  /**
   * Has jobs done, until they have ended or the signal comes; what nobody has begun by then is taken back.
   * @param queueFirst puts the first of them, while workers begin with what there is
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
        writeLine("Redis does not answer, so jobs that no worker has begun stay there.");
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
