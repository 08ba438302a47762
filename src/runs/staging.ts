import { createHash, type Hash } from "node:crypto";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";
import { disk } from "./disk.js";
import { updateHash } from "./largeFiles.js";
import { pathWithin } from "./pathWithin.js";

/** Where files lie until all of them are complete, and from when on they count until they have their names. */
const temporaryPrefix = ".splatbook-next";
const committedFolder = ".splatbook-commit";

/** What a file or folder is called that counts for nothing if its command ends before it. */
export const temporaryName = (tag: string) => `${temporaryPrefix}${tag}`;

/**
 * Files that appear in a folder together: they are written into a folder of their own, and one rename of that makes them
 * count. Then they are moved to their names; whoever finds some that are not moved yet moves them (`settle`), and whoever
 * only reads looks for them there first (`candidatePaths`). So a command that is killed leaves all of them or none.
 */
export class Staging {
  readonly #stagingFolder: string;
  /** SHA-256 of the files, by their names. */
  readonly #hashes = new Map<string, Hash>();
  /** Folders that were made. */
  readonly #createdFolders = new Set<string>();

  /** @param tag tells several stagings in one folder apart */
  constructor(
    readonly folder: string,
    tag = "",
  ) {
    this.#stagingFolder = join(folder, temporaryName(tag));
  }

  /**
   * Writes a file, or adds to one that was begun; its name may lead into a folder in the folder.
   * @throws Failure if its name leads out of the folder, or it cannot be written; what was written before is then removed
   */
  async write(name: string, bytes: Uint8Array | string): Promise<void> {
    await this.#orDiscard(async () => {
      const path = pathWithin(this.#stagingFolder, name);
      if (this.#createdFolders.size === 0) await disk.remove(this.#stagingFolder);
      for (const folder of [this.#stagingFolder, dirname(path)]) {
        if (!this.#createdFolders.has(folder)) await disk.mkdir(folder);
        this.#createdFolders.add(folder);
      }
      const hash = this.#hashes.get(name);
      await disk.write(path, bytes, hash ? "a" : "w");
      this.#hashes.set(name, updateHash(hash ?? createHash("sha256"), bytes));
    });
  }

  /** SHA-256 of each file so far, in hexadecimal, by its name. */
  hashes(): Record<string, string> {
    return Object.fromEntries([...this.#hashes].map(([name, hash]) => [name, hash.copy().digest("hex")]));
  }

  /** Makes the files count, all at once. */
  async commit(): Promise<void> {
    await this.#orDiscard(async () => {
      for (const name of this.#hashes.keys()) await disk.sync(join(this.#stagingFolder, name));
      for (const folder of this.#createdFolders) await disk.syncFolder(folder);
      await finishCommit(this.folder);
      await disk.rename(this.#stagingFolder, join(this.folder, committedFolder));
      this.#reset();
      await disk.syncFolder(this.folder);
      await finishCommit(this.folder);
    });
  }

  /** Removes what was not committed. */
  async discard(): Promise<void> {
    if (this.#createdFolders.size > 0) await disk.remove(this.#stagingFolder).catch(() => {});
    this.#reset();
  }

  #reset(): void {
    this.#hashes.clear();
    this.#createdFolders.clear();
  }

  async #orDiscard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.discard();
      throw toWriteFailure(this.folder, error);
    }
  }
}

/**
 * Gives committed files their names, where that was not done to its end. Others may do it at the same time, since a file
 * that was committed may be moved at any moment and by anyone.
 */
export async function finishCommit(folder: string): Promise<void> {
  const committed = join(folder, committedFolder);
  const entries = await readdir(committed, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  if (!entries) return;
  const folders = new Set<string>([folder]);
  for (const entry of entries.filter((entry) => !entry.isDirectory())) {
    const from = join(entry.parentPath, entry.name);
    const to = join(folder, from.slice(committed.length));
    folders.add(dirname(to));
    await makeFolders(dirname(to));
    await disk.rename(from, to).catch(ignoreMissing);
  }
  for (const path of folders) await disk.syncFolder(path);
  for (const entry of entries.filter((entry) => entry.isDirectory())) {
    await disk.rmdir(join(entry.parentPath, entry.name)).catch(ignoreMissing);
  }
  await disk.rmdir(committed).catch(ignoreMissing);
}

/** Removes what commands that are no more have begun in a folder. */
export async function removeTemporary(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith(temporaryPrefix)) await disk.remove(join(folder, name));
}

/** The paths of a file, where it may have been committed and not moved yet: the first one that exists holds it. */
export function candidatePaths(folder: string, name: string): string[] {
  return [join(folder, committedFolder, name), join(folder, name)];
}

/** Of a folder that others may be writing too, what is gone or filled again is no error. */
function ignoreMissing(error: unknown): undefined {
  if (isSystemError(error) && ["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.code ?? "")) return undefined;
  throw error;
}

/**
 * Makes a folder, and the folders that it lies in.
 * @returns removes again what was made, unless something is in it by then
 * @throws Failure
 */
export async function makeFolder(folder: string): Promise<() => Promise<void>> {
  try {
    if ((await stat(folder).catch(() => undefined))?.isDirectory() === false) {
      throw new Failure(`${folder} is a file, so nothing can be written into it.`);
    }
    const wasCreated = await makeFolders(folder);
    return async () => {
      if (wasCreated) await disk.rmdir(folder).catch(() => {});
    };
  } catch (error) {
    throw toWriteFailure(folder, error);
  }
}

/** Node's own way of doing that never ends where a folder exists that takes no others, such as /proc. */
async function makeFolders(folder: string): Promise<boolean> {
  const tryCreate = async () => {
    try {
      await disk.mkdir(folder);
      // What is kept in it is kept only if the folder is.
      await disk.syncFolder(dirname(folder));
      return true;
    } catch (error) {
      if (!isSystemError(error) || !(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
      return false;
    }
  };
  try {
    return await tryCreate();
  } catch (error) {
    const parent = dirname(folder);
    if (!isSystemError(error) || error.code !== "ENOENT" || parent === folder) throw error;
    await makeFolders(parent);
    return tryCreate();
  }
}

/** Why a folder could not be written to, as a sentence. */
export function toWriteFailure(folder: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new Failure(`Nothing could be written to ${folder}: ${reasonOf(error)}.`);
}

/**
 * Writes one file, whole or not at all, and makes the folder that it lies in. What is a link stays one; what is no file,
 * such as a pipe, is written into.
 * @throws Failure
 */
export async function writeFile(path: string, bytes: Uint8Array): Promise<void> {
  await withTemporary(path, async (target, temporary) => {
    if (!temporary) return disk.write(target, bytes, "w");
    await disk.write(temporary, bytes, "w");
    await disk.sync(temporary);
    await disk.rename(temporary, target);
    await disk.syncFolder(dirname(target));
  });
}

/**
 * Finds out whether a file could be written, before the work whose result it is to hold.
 * @throws Failure as `writeFile` would
 */
export async function checkWritable(path: string): Promise<void> {
  await withTemporary(path, async (_, temporary) => {
    if (temporary) await disk.write(temporary, "", "w");
  });
}

/** Does some work at a file's place, with the name of a temporary file beside it, unless what lies there is no file. */
async function withTemporary(path: string, work: (target: string, temporary?: string) => Promise<void>): Promise<void> {
  const target = await followLink(path);
  await makeFolder(dirname(target));
  const targetStats = await stat(target).catch(() => undefined);
  const temporary = join(dirname(target), `.${basename(target)}.splatbook-${process.pid}`);
  try {
    if (targetStats && !targetStats.isFile()) await work(target);
    else await work(target, temporary);
  } catch (error) {
    throw toWriteFailure(path, error);
  } finally {
    await disk.remove(temporary).catch(() => {});
  }
}

/**
 * What a link leads to; a path that is none leads to itself.
 * @throws Failure if it leads nowhere
 */
export async function followLink(path: string): Promise<string> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink();
  if (!isLink) return path;
  try {
    return await realpath(path);
  } catch (error) {
    const isDangling = isSystemError(error) && error.code === "ENOENT";
    throw isDangling ? new Failure(`${path} is a link to nothing.`) : toWriteFailure(path, error);
  }
}
