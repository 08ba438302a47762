import { createHash, type Hash } from "node:crypto";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";
import { disk } from "./disk.js";
import { updateHash } from "./largeFiles.js";
import { pathWithin } from "./pathWithin.js";

/** Folders of files that are being written, and of files that are committed but not yet moved to their names. */
const temporaryPrefix = ".splatbook-next";
export const committedFolder = ".splatbook-commit";

/** Returns the name of a temporary file or folder, which the next command removes. */
export const temporaryName = (tag: string) => `${temporaryPrefix}${tag}`;

/**
 * Files that appear in a folder atomically. They are written into a staging folder, and one rename commits all of them.
 * Then they are moved to their names. If a command is killed before that, the next one moves them (`finishCommit`);
 * readers look in both folders (`candidatePaths`).
 */
export class Staging {
  readonly #stagingFolder: string;
  /** SHA-256 of the files by name. */
  readonly #hashes = new Map<string, Hash>();
  readonly #createdFolders = new Set<string>();

  /** @param tag distinguishes several stagings in one folder */
  constructor(
    readonly folder: string,
    tag = "",
  ) {
    this.#stagingFolder = join(folder, temporaryName(tag));
  }

  /**
   * Writes a file, or appends to it if it was written before. Its name may include a subfolder.
   * @throws Failure if its name leads out of the folder, or it cannot be written; all staged files are then removed
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

  /** Returns the SHA-256 of each file so far, in hexadecimal, by name. */
  hashes(): Record<string, string> {
    return Object.fromEntries([...this.#hashes].map(([name, hash]) => [name, hash.copy().digest("hex")]));
  }

  /** Commits all files atomically. */
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
 * Moves committed files to their names, if an earlier command did not finish. Several processes may do so at the same
 * time.
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

/** Removes the temporary files of commands that have ended. */
export async function removeTemporary(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith(temporaryPrefix)) await disk.remove(join(folder, name));
}

/** Returns the paths where a committed file may be. The first one that exists is current. */
export function candidatePaths(folder: string, name: string): string[] {
  return [join(folder, committedFolder, name), join(folder, name)];
}

/** Ignores files that another process has moved or removed. */
function ignoreMissing(error: unknown): undefined {
  if (isSystemError(error) && ["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.code ?? "")) return undefined;
  throw error;
}

/**
 * Creates a folder and its parents.
 * @returns a function that removes the folder if it was created here and is empty
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

/**
 * Returns whether the folder was created. Node's recursive `mkdir` never returns in read-only folders such as /proc.
 */
async function makeFolders(folder: string): Promise<boolean> {
  const tryCreate = async () => {
    try {
      await disk.mkdir(folder);
      // Files in the folder survive a power loss only if the folder does.
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

/** Returns a Failure that says why a folder could not be written to; other errors are returned unchanged. */
export function toWriteFailure(folder: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new Failure(`Nothing could be written to ${folder}: ${reasonOf(error)}.`);
}

/**
 * Writes a file atomically, and creates its folder. A link is followed; a pipe or device is written to directly.
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
 * Checks that a file can be written, before its contents are computed.
 * @throws Failure as `writeFile` would
 */
export async function checkWritable(path: string): Promise<void> {
  await withTemporary(path, async (_, temporary) => {
    if (temporary) await disk.write(temporary, "", "w");
  });
}

/** Calls `work` with the path and a temporary path in the same folder; without the latter for pipes and devices. */
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
 * Returns the target of a link, or the path itself if it is not a link.
 * @throws Failure if the link is dangling
 */
export async function followLink(path: string): Promise<string> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink();
  if (!isLink) return path;
  try {
    return await realpath(path);
  } catch (error) {
    const isDangling = isSystemError(error) && error.code === "ENOENT";
    throw isDangling ? new Failure(`${path} is a dangling link.`) : toWriteFailure(path, error);
  }
}
