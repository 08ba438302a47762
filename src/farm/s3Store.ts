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
import { Failure } from "../terminal/failure.js";
import { FolderStore } from "./folderStore.js";
import { retry } from "./retry.js";
import { type Attempt, type InputKind, inputFile, JobReassigned, type Store } from "./store.js";

/** What may pass: a network that is down, S3 that has too much to do, or two writes of one object at a time (409). */
class Unreachable extends Failure {}

const isTransient = (error: unknown) => error instanceof Unreachable;

const isTransientStatus = (status: number) => status >= 500 || [408, 409, 429].includes(status);

/** Milliseconds that a store is waited for which never answered before: its address may be a wrong one. */
const firstContactTimeout = 3000;

/** Milliseconds in which it has to answer who is stopped: the schedulers of clusters give half a minute. */
const shutdownTimeout = 20_000;

/** Milliseconds after which nobody goes on with what a worker of this machine has begun, unless it has ended. */
const maxAbandonedAge = 24 * 60 * 60_000;

/**
 * A bucket of S3 or what speaks as it. An attempt lies in a folder of this machine. Its files get names of their own
 * there, and a run is committed by one object that lists them and is only written if it is not there: whoever comes
 * second finds it, and has written over nothing.
 */
export class S3Store implements Store {
  readonly #client: AwsClient;
  readonly #url: string;
  readonly #signal: AbortSignal | undefined;
  /** Comes some time after the signal, and ends requests that are not answered. */
  readonly #cutSignal: AbortSignal | undefined;
  /** Whether it ever answered, which the same store with another signal knows too. */
  readonly #reach: { isReached: boolean };

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

  /** @throws ConfigError, or Failure where the environment has no credentials */
  static open(place: string): S3Store {
    const [, bucket, prefix] = /^s3:\/\/([\w.-]+)\/*(.*?)\/*$/.exec(place) ?? [];
    if (!bucket) throw new ConfigError("runs", place, "s3://BUCKET/PREFIX");
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION = "us-east-1" } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
      throw new Failure(`${place} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`);
    }
    const given = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
    const host = given ? `${given.replace(/\/$/, "")}/${bucket}` : `https://${bucket}.s3.${AWS_REGION}.amazonaws.com`;
    const client = new AwsClient({
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
      region: AWS_REGION,
      service: "s3",
      retries: 0,
    });
    return new S3Store(place, client, prefix ? `${host}/${prefix}` : host);
  }

  withSignal(signal: AbortSignal): Store {
    // All files of a run wait on it at once.
    setMaxListeners(0, signal);
    return new S3Store(this.name, this.#client, this.#url, this.#reach, signal);
  }

  async put(kind: InputKind, given: string, bytes: Uint8Array): Promise<void> {
    await this.#put(inputFile(kind, given), bytes);
  }

  get(kind: InputKind, given: string): Promise<Uint8Array> {
    return this.#get(inputFile(kind, given));
  }

  remove(kind: InputKind, given: string): Promise<void> {
    return this.#delete(inputFile(kind, given));
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
    // What was there may be this attempt, whose first answer was lost.
    if (!ok && (await this.#committed(run)).place !== list.place) await this.#deleteFiles(list);
  }

  /** The folder of this machine in which attempts lie: this user's alone, since all write into the folder above. */
  async #machineFolder(): Promise<string> {
    const user = process.getuid?.();
    const userFolder = join(tmpdir(), `splatbook-${user ?? "attempts"}`);
    await mkdir(userFolder, { mode: 0o700, recursive: true });
    const folderStats = await lstat(userFolder);
    if (
      !folderStats.isDirectory() ||
      (user !== undefined && (folderStats.uid !== user || (folderStats.mode & 0o022) !== 0))
    ) {
      throw new Failure(`${userFolder} may be written to by others; remove it, or let TMPDIR name another folder.`);
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
    // A connection that ends in the middle of a file.
    await retry(fetchAll, isTransient, this.#signal);
    await disk.remove(folder);
    await disk.rename(stagingFolder, folder);
  }

  async removeRun(run: string): Promise<void> {
    const committed = await this.#committed(run);
    await this.#delete(commitKey(run));
    await this.#deleteFiles(committed);
  }

  // What a machine has of a run stays there.
  async handOver(): Promise<void> {}
  async takeOver(): Promise<void> {}

  async #committed(run: string): Promise<CommittedFiles> {
    const text = new TextDecoder().decode(await this.#get(commitKey(run)));
    const list = parseCommitted(text);
    if (list) return list;
    throw new Failure(`${commitKey(run)} of ${this.name} does not list the files of a run, but holds ${quoted(text)}.`);
  }

  async #deleteFiles({ place, files }: CommittedFiles): Promise<void> {
    await Promise.all(files.map((file) => this.#delete(`${place}/${file}`)));
  }

  async #put(key: string, body: Uint8Array): Promise<void> {
    await this.#request("PUT", key, [], async () => ({ body: body as BodyInit }));
  }

  /** Puts a file of any size, which is read while it is sent. */
  async #upload(key: string, path: string): Promise<void> {
    await this.#request("PUT", key, [], async () => {
      const { size } = await stat(path);
      const body = Readable.toWeb(createReadStream(path)) as unknown as BodyInit;
      return { body, duplex: "half", headers: { "Content-Length": String(size) } } as RequestInit;
    });
  }

  /** An object of any size, in pieces; one that is empty has one. */
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

  /** @param init of the request, for each try */
  async #request(
    method: string,
    key: string,
    allowed: number[],
    init: () => Promise<RequestInit> = async () => ({}),
  ): Promise<Response> {
    if (!isPathWithin(key)) throw new Failure(`${quoted(key)} is not the name of an object in ${this.name}.`);
    const path = key.split("/").map(encodeURIComponent).join("/");
    const sendRequest = async () => {
      const signed = await this.#client.sign(`${this.#url}/${path}`, { method, ...(await init()) });
      // A request's own signal is collected together with the request while it waits.
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
    return new Unreachable(`${this.name} cannot be reached: ${reason.replace(/[.\s]*$/, ".")}`);
  }
}

/** Returns a signal that comes some time after another one. */
function delayedSignal(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const startTimer = () => {
    setTimeout(() => controller.abort(new Error("it does not answer")), shutdownTimeout).unref();
  };
  if (signal.aborted) startTimer();
  else signal.addEventListener("abort", startTimer, { once: true });
  return controller.signal;
}

/** Waits for all, also where one fails, so that nothing goes on behind who tries again. */
async function waitForAll(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

/** Removes what workers of this machine that were killed have begun, and nobody has gone on with. */
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

/** What a run's object holds. */
interface CommittedFiles {
  place: string;
  files: string[];
}

/** Where attempts lie, each in a folder of its own. */
const attemptsPrefix = "attempts";

/** What such an object says, which anyone may have written who can write to the bucket; undefined if it cannot be used. */
function parseCommitted(text: string): CommittedFiles | undefined {
  try {
    const { place, files } = JSON.parse(text);
    const isUsable = isPathWithin(place) && place.startsWith(`${attemptsPrefix}/`) && Array.isArray(files);
    return isUsable && files.every(isPathWithin) ? { place, files } : undefined;
  } catch {
    return undefined;
  }
}

const commitKey = (run: string) => `runs/${run}.json`;

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"));
}
