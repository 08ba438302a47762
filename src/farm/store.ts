import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "../engine/config.js";
import { runFiles } from "../engine/files/runFiles.js";
import { disk } from "../runs/disk.js";
import { farmFolder } from "../runs/farmFolder.js";
import { readLarge } from "../runs/largeFiles.js";
import { lockFile } from "../runs/lock.js";
import { pathWithin } from "../runs/pathWithin.js";
import { candidatePaths, makeFolder, toWriteFailure, writeFile } from "../runs/staging.js";
import { Failure, isSystemError } from "../terminal/failure.js";

/** Thrown if the job was given to another worker, which has taken over the attempt. */
export class JobReassigned extends Failure {
  constructor() {
    super("The job was given to another worker.");
  }
}

/** A run that a worker is training and has not committed. */
export interface Attempt {
  folder: string;
  /** Whether the folder has a checkpoint from an earlier worker. */
  hasProgress: boolean;
  /**
   * Commits the run atomically, unless it was committed before. It may be retried after an error.
   * @throws JobReassigned if the job was given to another worker, or Failure
   */
  commit(run: string): Promise<void>;
  discard(): Promise<void>;
}

/** Inputs of jobs: images as PNG files, and raw parameters of initial blobs. */
type InputKind = "image" | "blobs";

/**
 * A folder that all machines share, with the images, blobs and runs of jobs. An attempt is a folder named after the job
 * and the token of its lock. The next worker that gets the job renames the folder to its own token, and a commit renames
 * it to the run's name. So a worker that has lost its lock without noticing cannot commit.
 */
export class Store {
  readonly #attempts: string;

  /**
   * @param name path of the folder
   * @throws ConfigError
   */
  constructor(readonly name: string) {
    if (name.trim() === "" || /^\w+:\/\//.test(name)) {
      throw new ConfigError("runs", name, "a folder that all machines share");
    }
    this.#attempts = join(name, farmFolder, "attempts");
  }

  /** Writes an input. Its name comes from `inputName`. */
  async put(kind: InputKind, inputName: string, bytes: Uint8Array): Promise<void> {
    await writeFile(this.#inputPath(kind, inputName), bytes);
  }

  /** @throws Failure if the input does not exist */
  async get(kind: InputKind, inputName: string): Promise<Uint8Array> {
    try {
      return await readLarge(this.#inputPath(kind, inputName), kind);
    } catch (error) {
      if (!isSystemError(error) || error.code !== "ENOENT") throw error;
      throw new Failure(
        `${this.name} has no ${kind} ${inputName.slice(0, 8)}. --runs must be the same folder on all machines.`,
      );
    }
  }

  /** Removes an input, if it exists. */
  remove(kind: InputKind, inputName: string): Promise<void> {
    return disk.remove(this.#inputPath(kind, inputName));
  }

  #inputPath(kind: InputKind, inputName: string): string {
    const file = kind === "image" ? `pictures/${inputName}.png` : `blobs/${inputName}.f32`;
    return pathWithin(join(this.name, farmFolder), file);
  }

  /** Returns whether a run was committed. */
  has(run: string): boolean {
    return isRun(this.#folderOf(run));
  }

  /**
   * Starts an attempt at a job. It takes over the attempt of an earlier worker, which then cannot commit.
   * @param id of the job
   * @param token unique token of the attempt
   */
  async startAttempt(id: string, token: string): Promise<Attempt> {
    await makeFolder(this.#attempts);
    const folder = pathWithin(this.#attempts, `${id}.${token.replace(/\W/g, "-")}`);
    if (!(await this.#move(id, folder))) await makeFolder(folder);
    return {
      folder,
      hasProgress: isRun(folder),
      commit: async (run) => {
        const runFolder = this.#folderOf(run);
        await makeFolder(dirname(runFolder));
        const moved = await tryRename(folder, runFolder);
        if (moved === "missing") throw new JobReassigned();
        if (moved === "taken") await disk.remove(folder);
        await disk.syncFolder(dirname(runFolder));
      },
      discard: () => disk.remove(folder),
    };
  }

  /** Removes a committed run. */
  removeRun(run: string): Promise<void> {
    return disk.remove(this.#folderOf(run));
  }

  /** Gives a run that was started without workers to the next attempt at a job. */
  async handOver(id: string, folder: string): Promise<void> {
    await makeFolder(this.#attempts);
    await tryRename(folder, join(this.#attempts, `${id}.before`));
  }

  /** Moves the unfinished run of a job to a folder, so that it can be continued without workers. */
  async takeOver(id: string, folder: string): Promise<void> {
    const moved = join(this.#attempts, `${id}.back`);
    if (!(await this.#move(id, moved))) return;
    if (!isRun(moved) || (await tryRename(moved, folder)) !== "moved") await disk.remove(moved);
  }

  /** Renames the attempt of a job and removes its lock. Returns false if there is none. */
  async #move(id: string, to: string): Promise<boolean> {
    const names = await readdir(this.#attempts).catch(() => []);
    let isMoved = false;
    for (const name of names.filter((name) => name.startsWith(`${id}.`))) {
      // There are two attempts if two workers started at the same time. A folder is renamed before it is removed, so
      // that a worker never finds a part of it.
      const moved = await tryRename(join(this.#attempts, name), isMoved ? `${to}-aside` : to);
      if (isMoved) await disk.remove(`${to}-aside`);
      isMoved ||= moved === "moved";
    }
    if (isMoved) await disk.remove(join(to, lockFile));
    return isMoved;
  }

  #folderOf(run: string): string {
    return pathWithin(this.name, run);
  }
}

function isRun(folder: string): boolean {
  return candidatePaths(folder, runFiles.description).some(existsSync);
}

/** Renames a folder. Returns "missing" if it does not exist, and "taken" if the new name exists. */
async function tryRename(from: string, to: string): Promise<"moved" | "missing" | "taken"> {
  try {
    await disk.rename(from, to);
    return "moved";
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined;
    if (code === "ENOENT") return "missing";
    if (code === "ENOTEMPTY" || code === "EEXIST") return "taken";
    throw toWriteFailure(to, error);
  }
}
