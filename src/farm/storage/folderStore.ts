import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runFiles } from "../../engine/files/runFiles.js";
import { disk } from "../../runs/disk.js";
import { farmFolder } from "../../runs/farmFolder.js";
import { readLarge } from "../../runs/largeFiles.js";
import { lockFile } from "../../runs/lock.js";
import { pathWithin } from "../../runs/pathWithin.js";
import { candidatePaths, makeFolder, toWriteFailure, writeFile } from "../../runs/staging.js";
import { Failure, isSystemError } from "../../terminal/failure.js";
import { type Attempt, type InputKind, inputFile, JobReassigned, type Store } from "./store.js";

/**
 * A folder that all machines share. An attempt is a folder named after the job and the token of its lock. The next
 * worker that gets the job renames the folder to its own token, and a commit renames it to the run's name. So a worker
 * that has lost its lock without noticing cannot commit.
 */
export class FolderStore implements Store {
  readonly #attempts: string;

  constructor(readonly name: string) {
    this.#attempts = join(name, farmFolder, "attempts");
  }

  withSignal(): Store {
    return this;
  }

  async put(kind: InputKind, inputName: string, bytes: Uint8Array): Promise<void> {
    await writeFile(this.#inputPath(kind, inputName), bytes);
  }

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

  remove(kind: InputKind, inputName: string): Promise<void> {
    return disk.remove(this.#inputPath(kind, inputName));
  }

  #inputPath(kind: InputKind, inputName: string): string {
    return pathWithin(join(this.name, farmFolder), inputFile(kind, inputName));
  }

  async has(run: string): Promise<boolean> {
    return isRun(this.#folderOf(run));
  }

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
      leave: async () => {},
    };
  }

  async fetch(): Promise<void> {}

  removeRun(run: string): Promise<void> {
    return disk.remove(this.#folderOf(run));
  }

  async handOver(id: string, _run: string, folder: string): Promise<void> {
    await makeFolder(this.#attempts);
    await tryRename(folder, join(this.#attempts, `${id}.before`));
  }

  async fetchPaused(): Promise<boolean> {
    return false;
  }

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
