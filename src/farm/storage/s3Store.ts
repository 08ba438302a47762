import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { hasEnded } from "../../engine/files/runDescription.js";
import { quoted } from "../../engine/quoted.js";
import { disk } from "../../runs/disk.js";
import { farmFolder } from "../../runs/farmFolder.js";
import { isPathWithin } from "../../runs/pathWithin.js";
import { openRunFolder } from "../../runs/runFolder.js";
import { makeFolder, Staging, temporaryName } from "../../runs/staging.js";
import { Failure } from "../../terminal/failure.js";
import { FolderStore } from "./folderStore.js";
import { S3Bucket } from "./s3Bucket.js";
import { type Attempt, type InputKind, inputFile, JobReassigned, type Store } from "./store.js";

/** Milliseconds after which an unfinished attempt on this machine counts as abandoned. */
const maxAbandonedAge = 24 * 60 * 60_000;

/**
 * A bucket of S3 or of a compatible service. An attempt is a folder on this machine. Its files are uploaded under
 * unique keys, and a run is committed by one object that lists them. This object is written only if it does not exist,
 * so a second worker overwrites nothing.
 */
export class S3Store implements Store {
  readonly name: string;
  readonly #bucket: S3Bucket;
  /** Ids of jobs that continue a run of the bucket. */
  readonly #continued = new Set<string>();

  private constructor(bucket: S3Bucket) {
    this.name = bucket.name;
    this.#bucket = bucket;
  }

  /** @throws ConfigError, or Failure if the environment has no credentials */
  static open(address: string): S3Store {
    return new S3Store(S3Bucket.open(address));
  }

  withSignal(signal: AbortSignal): Store {
    return new S3Store(this.#bucket.withSignal(signal));
  }

  async put(kind: InputKind, name: string, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(inputFile(kind, name), bytes);
  }

  get(kind: InputKind, name: string): Promise<Uint8Array> {
    return this.#bucket.get(inputFile(kind, name));
  }

  remove(kind: InputKind, name: string): Promise<void> {
    return this.#bucket.delete(inputFile(kind, name));
  }

  async has(run: string): Promise<boolean> {
    return this.#bucket.has(commitKey(run));
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
        if (!uploaded.has(file)) await this.#bucket.upload(`${place}/${file}`, join(attempt.folder, file));
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
    const isNew = await this.#bucket.putNew(commitKey(run), JSON.stringify(list));
    // The existing object may be this attempt's, if the first response was lost.
    if (!isNew && (await this.#committed(run)).place !== list.place) await this.#deleteFiles(list);
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
    const machineFolder = join(userFolder, createHash("sha256").update(this.#bucket.url).digest("hex").slice(0, 16));
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
        for await (const piece of this.#bucket.pieces(`${place}/${file}`)) {
          writing = writing.then(() => staging.write(file, piece));
          await writing;
        }
      };
      await waitForAll(files.map(download));
      await staging.commit();
    };
    // The connection may end in the middle of a file.
    await this.#bucket.retry(fetchAll);
    await disk.remove(folder);
    await disk.rename(stagingFolder, folder);
  }

  async removeRun(run: string): Promise<void> {
    const committed = await this.#committed(run);
    await this.#bucket.delete(commitKey(run));
    await this.#deleteFiles(committed);
  }

  // A run that was started without workers stays on its machine.
  async handOver(id: string, run: string): Promise<void> {
    if (!(await this.has(run))) return;
    await this.#bucket.put(
      commitKey(pausedRun(id)),
      new TextEncoder().encode(JSON.stringify(await this.#committed(run))),
    );
    await this.#bucket.delete(commitKey(run));
  }

  async fetchPaused(id: string, folder: string): Promise<boolean> {
    if (!(await this.has(pausedRun(id)))) return false;
    await this.fetch(pausedRun(id), folder);
    this.#continued.add(id);
    return true;
  }

  async takeOver(): Promise<void> {}

  async #committed(run: string): Promise<CommittedFiles> {
    const text = new TextDecoder().decode(await this.#bucket.get(commitKey(run)));
    const list = parseCommitted(text);
    if (list) return list;
    throw new Failure(`${commitKey(run)} of ${this.name} must list the files of a run (got ${quoted(text)}).`);
  }

  async #deleteFiles({ place, files }: CommittedFiles): Promise<void> {
    await Promise.all(files.map((file) => this.#bucket.delete(`${place}/${file}`)));
  }
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
