import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { lstat, mkdir, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { AwsClient } from "aws4fetch";
import { ConfigError } from "../engine/config.js";
import { hasEnded } from "../engine/files/runDescription.js";
import { quoted } from "../engine/quoted.js";
import { disk } from "../runs/disk.js";
import { farmFolder } from "../runs/farmFolder.js";
import { isPathWithin } from "../runs/pathWithin.js";
import { openRunFolder } from "../runs/runFolder.js";
import { makeFolder, Staging, temporaryName } from "../runs/staging.js";
import { asSentence, Failure } from "../terminal/failure.js";
import { FolderStore } from "./folderStore.js";
import { retry } from "./retry.js";
import { type Attempt, type InputKind, inputFile, JobReassigned, type Store } from "./store.js";

/** A transient error: the network is down, S3 is overloaded, or two requests write an object at the same time (409). */
class Unreachable extends Failure {}

const isTransient = (error: unknown) => error instanceof Unreachable;

const isTransientStatus = (status: number) => status >= 500 || [408, 409, 429].includes(status);

/** Milliseconds of retries for a store that has never answered, since its address may be wrong. */
const firstContactTimeout = 3000;

/** Milliseconds in which requests must end after a stop. Cluster schedulers give 30 seconds. */
const shutdownTimeout = 20_000;

/** Milliseconds after which an unfinished attempt on this machine counts as abandoned. */
const maxAbandonedAge = 24 * 60 * 60_000;

/**
 * A bucket of S3 or of a compatible service. An attempt is a folder on this machine. Its files are uploaded under
 * unique keys, and a run is committed by one object that lists them. This object is written only if it does not exist,
 * so a second worker overwrites nothing.
 */
export class S3Store implements Store {
  readonly #client: AwsClient;
  readonly #url: string;
  readonly #signal: AbortSignal | undefined;
  /** Aborts some time after the signal, and ends pending requests. */
  readonly #cutSignal: AbortSignal | undefined;
  /** Whether the store has ever answered; shared by its copies with other signals. */
  readonly #reach: { isReached: boolean };
  /** Ids of jobs that continue a run of the bucket. */
  readonly #continued = new Set<string>();

  private constructor(
    readonly name: string,
    client: AwsClient,
    url: string,
    reach = { isReached: false },
    signal?: AbortSignal,
  ) {
    this.#client = client;
    this.#url = url;
    this.#reach = reach;
    this.#signal = signal;
    this.#cutSignal = signal && delayedSignal(signal);
  }

  /** @throws ConfigError, or Failure if the environment has no credentials */ static open(address: string): S3Store {
    const [, bucket, prefix] = /^s3:\/\/([\w.-]+)\/*(.*?)\/*$/.exec(address) ?? [];
    if (!bucket) throw new ConfigError("runs", address, "s3://BUCKET/PREFIX");
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION = "us-east-1" } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
      throw new Failure(`${address} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`);
    }
    const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
    const host = endpoint
      ? `${endpoint.replace(/\/$/, "")}/${bucket}`
      : `https://${bucket}.s3.${AWS_REGION}.amazonaws.com`;
    const client = new AwsClient({
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
      region: AWS_REGION,
      service: "s3",
      retries: 0,
    });
    return new S3Store(address, client, prefix ? `${host}/${prefix}` : host);
  }

  withSignal(signal: AbortSignal): Store {
    // All files of a run listen to it at the same time.
    setMaxListeners(0, signal);
    return new S3Store(this.name, this.#client, this.#url, this.#reach, signal);
  }

  async put(kind: InputKind, name: string, bytes: Uint8Array): Promise<void> {
    await this.#put(inputFile(kind, name), bytes);
  }

  get(kind: InputKind, name: string): Promise<Uint8Array> {
    return this.#get(inputFile(kind, name));
  }

  remove(kind: InputKind, name: string): Promise<void> {
    return this.#delete(inputFile(kind, name));
  }

  async has(run: string): Promise<boolean> {
    return (await this.#request("HEAD", commitKey(run), [404])).ok;
  }

  async startAttempt(id: string, token: string): Promise<Attempt> {
    const machineFolder = await this.#machineFolder();
    const attempt = await new FolderStore(machineFolder).startAttempt(id, token);
    await removeAbandoned(machineFolder, attempt.folder);
    const place = `${attemptsPrefix}/${id}.${token.replace(/\W/g, "-")}`;
    const uploaded = new Set<string>();
    const commit = async (run: string) => {
      if (!existsSync(attempt.folder)) throw new JobReassigned();
      const files = await listFiles(attempt.folder);
      const upload = async (file: string) => {
        if (!uploaded.has(file)) await this.#upload(`${place}/${file}`, join(attempt.folder, file));
        uploaded.add(file);
      };
      await waitForAll(files.map(upload));
      await this.#commit(run, { place, files });
      if (this.#continued.has(id)) await this.removeRun(pausedRun(id));
      await attempt.discard();
    };
    return { ...attempt, commit, leave: attempt.discard };
  }

  async #commit(run: string, list: CommittedFiles): Promise<void> {
    const headers = { "If-None-Match": "*" };
    const { ok } = await this.#request("PUT", commitKey(run), [412], async () => ({
      body: JSON.stringify(list),
      headers,
    }));
    // The existing object may be this attempt's, if the first response was lost.
    if (!ok && (await this.#committed(run)).place !== list.place) await this.#deleteFiles(list);
  }

  /**
   * Returns the folder of attempts on this machine. Only this user may write to it, unlike the temporary folder around
   * it.
   */
  async #machineFolder(): Promise<string> {
    const user = process.getuid?.();
    const userFolder = join(tmpdir(), `splatbook-${user ?? "attempts"}`);
    await mkdir(userFolder, { mode: 0o700, recursive: true });
    const folderStats = await lstat(userFolder);
    if (
      !folderStats.isDirectory() ||
      (user !== undefined && (folderStats.uid !== user || (folderStats.mode & 0o022) !== 0))
    ) {
      throw new Failure(`${userFolder} is writable by other users. Remove it, or set TMPDIR to another folder.`);
    }
    const machineFolder = join(userFolder, createHash("sha256").update(this.#url).digest("hex").slice(0, 16));
    await makeFolder(machineFolder);
    return machineFolder;
  }

  async fetch(run: string, folder: string): Promise<void> {
    const stagingFolder = join(dirname(folder), temporaryName("-fetched"));
    const fetchAll = async () => {
      const { place, files } = await this.#committed(run);
      await disk.remove(stagingFolder);
      await makeFolder(stagingFolder);
      const staging = new Staging(stagingFolder);
      let writing = Promise.resolve();
      const download = async (file: string) => {
        for await (const piece of this.#pieces(`${place}/${file}`)) {
          writing = writing.then(() => staging.write(file, piece));
          await writing;
        }
      };
      await waitForAll(files.map(download));
      await staging.commit();
    };
    // The connection may end in the middle of a file.
    await retry(fetchAll, isTransient, this.#signal);
    await disk.remove(folder);
    await disk.rename(stagingFolder, folder);
  }

  async removeRun(run: string): Promise<void> {
    const committed = await this.#committed(run);
    await this.#delete(commitKey(run));
    await this.#deleteFiles(committed);
  }

  // A run that was started without workers stays on its machine.
  async handOver(id: string, run: string): Promise<void> {
    if (!(await this.has(run))) return;
    await this.#put(commitKey(pausedRun(id)), new TextEncoder().encode(JSON.stringify(await this.#committed(run))));
    await this.#delete(commitKey(run));
  }

  async fetchPaused(id: string, folder: string): Promise<boolean> {
    if (!(await this.has(pausedRun(id)))) return false;
    await this.fetch(pausedRun(id), folder);
    this.#continued.add(id);
    return true;
  }

  async takeOver(): Promise<void> {}

  async #committed(run: string): Promise<CommittedFiles> {
    const text = new TextDecoder().decode(await this.#get(commitKey(run)));
    const list = parseCommitted(text);
    if (list) return list;
    throw new Failure(`${commitKey(run)} of ${this.name} must list the files of a run (got ${quoted(text)}).`);
  }

  async #deleteFiles({ place, files }: CommittedFiles): Promise<void> {
    await Promise.all(files.map((file) => this.#delete(`${place}/${file}`)));
  }

  async #put(key: string, body: Uint8Array): Promise<void> {
    await this.#request("PUT", key, [], async () => ({ body: body as BodyInit }));
  }

  /** Uploads a file of any size as a stream. */
  async #upload(key: string, path: string): Promise<void> {
    await this.#request("PUT", key, [], async () => {
      const { size } = await stat(path);
      const body = Readable.toWeb(createReadStream(path)) as unknown as BodyInit;
      return { body, duplex: "half", headers: { "Content-Length": String(size) } } as RequestInit;
    });
  }

  /** Downloads an object of any size in pieces. The first piece is empty, so that an empty object has one. */
  async *#pieces(key: string): AsyncGenerator<Uint8Array> {
    const { body } = await this.#request("GET", key, []);
    yield new Uint8Array();
    try {
      for await (const piece of body ?? []) yield piece;
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  async #get(key: string): Promise<Uint8Array> {
    const read = async () => {
      const response = await this.#request("GET", key, []);
      return new Uint8Array(
        await response.arrayBuffer().catch((error) => {
          throw this.#unreachable(error);
        }),
      );
    };
    return retry(read, isTransient, this.#signal);
  }

  async #delete(key: string): Promise<void> {
    await this.#request("DELETE", key, [404]);
  }

  /** @param init returns the options of the request, for each attempt */
  async #request(
    method: string,
    key: string,
    allowed: number[],
    init: () => Promise<RequestInit> = async () => ({}),
  ): Promise<Response> {
    if (!isPathWithin(key)) throw new Failure(`${quoted(key)} is not a valid key in ${this.name}.`);
    const path = key.split("/").map(encodeURIComponent).join("/");
    const sendRequest = async () => {
      const signed = await this.#client.sign(`${this.#url}/${path}`, { method, ...(await init()) });
      // The signal is passed here, since that of a Request may be garbage-collected with the request while it is
      // pending.
      const response = await fetch(signed, { signal: this.#cutSignal }).catch((error) => {
        throw this.#unreachable(error);
      });
      if (response.ok || allowed.includes(response.status)) return response;
      const FailureKind = isTransientStatus(response.status) ? Unreachable : Failure;
      throw new FailureKind(`${this.name} answers ${method} ${key} with ${response.status} ${response.statusText}.`);
    };
    const response = await retry(
      sendRequest,
      isTransient,
      this.#signal,
      this.#reach.isReached ? undefined : firstContactTimeout,
    );
    this.#reach.isReached = true;
    return response;
  }

  #unreachable(cause: unknown): Unreachable {
    const error = cause as Error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return new Unreachable(`${this.name} cannot be reached: ${asSentence(reason)}`);
  }
}

function delayedSignal(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const startTimer = () => {
    setTimeout(() => controller.abort(new Error("no answer")), shutdownTimeout).unref();
  };
  if (signal.aborted) startTimer();
  else signal.addEventListener("abort", startTimer, { once: true });
  return controller.signal;
}

/** Waits for all promises even if one rejects, so that none is running during a retry. */
async function waitForAll(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

/** Removes abandoned attempts of workers of this machine that were killed. */
async function removeAbandoned(machineFolder: string, except: string): Promise<void> {
  const folder = join(machineFolder, farmFolder, "attempts");
  for (const path of (await readdir(folder)).map((name) => join(folder, name))) {
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY);
    if (path === except || age < maxAbandonedAge) continue;
    const isEnded = await openRunFolder(path).then(
      ({ description }) => hasEnded(description),
      () => false,
    );
    if (!isEnded) await disk.remove(path);
  }
}

/** The contents of a run's commit object. `place` is the key prefix of the files. */
interface CommittedFiles {
  place: string;
  files: string[];
}

const attemptsPrefix = "attempts";

/**
 * Returns the validated contents of a commit object; undefined if they are invalid. Anyone with access to the bucket
 * may have written it.
 */
function parseCommitted(text: string): CommittedFiles | undefined {
  try {
    const { place, files } = JSON.parse(text);
    const isUsable = isPathWithin(place) && place.startsWith(`${attemptsPrefix}/`) && Array.isArray(files);
    return isUsable && files.every(isPathWithin) ? { place, files } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns where a paused run waits for the job that continues it. */
const pausedRun = (id: string) => `.paused/${id}`;

const commitKey = (run: string) => `runs/${run}.json`;

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"));
}
