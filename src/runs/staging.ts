import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";
import { disk } from "./disk.js";
import { updateHash } from "./largeFiles.js";
import { pathWithin } from "./pathWithin.js";

const temporaryPrefix = ".splatbook-next";

/** The folder of files that are committed but not yet moved to their names. */
export const committedFolder = ".splatbook-commit";

/** Returns the name of a temporary file or folder, which the next command removes. */
export const temporaryName = (tag: string) => `${temporaryPrefix}${tag}`;

/**
 * Files of a locked folder that are replaced atomically. They are written into a staging folder, and one rename commits
 * all of them. Then they are moved to their names. If a command is killed before that, the next one that locks the
 * folder moves them (`finishCommit`); readers look in both folders (`candidatePaths`).
 */
export class Staging {
  readonly #stagingFolder: string;
  /** SHA-256 of the files by name. */
  readonly #hashes = new Map<string, Hash>();
  readonly #createdFolders = new Set<string>();

  constructor(readonly folder: string) {
    this.#stagingFolder = join(folder, temporaryName("-files"));
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
      await disk.syncFolder(this.folder);
      await finishCommit(this.folder);
    });
  }

  async #orDiscard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await disk.remove(this.#stagingFolder).catch(() => {});
      throw toWriteFailure(this.folder, error);
    }
  }
}

/** Moves committed files of a locked folder to their names, if an earlier command did not finish. */
export async function finishCommit(folder: string): Promise<void> {
  const committed = join(folder, committedFolder);
  if (!existsSync(committed)) return;
  const folders = new Set<string>();
  for (const entry of await readdir(committed, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(folder, from.slice(committed.length));
    await makeFolders(dirname(to));
    await disk.rename(from, to);
    folders.add(dirname(to));
  }
  for (const path of folders) await disk.syncFolder(path);
  await disk.remove(committed);
}

/** Removes the temporary files of commands that have ended. */
export async function removeTemporary(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith(temporaryPrefix)) await disk.remove(join(folder, name));
}

/** Returns the paths where a committed file may be. The first one that exists is current. */
export function candidatePaths(folder: string, name: string): string[] {
  return [join(folder, committedFolder, name), join(folder, name)];
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
export async function writeFile(path: string, bytes: Uint8Array | string): Promise<void> {
  const target = await followLink(path);
  const folder = dirname(target);
  await makeFolder(folder);
  const isSpecial = (await stat(target).catch(() => undefined))?.isFile() === false;
  const temporary = join(folder, temporaryName(`-${process.pid}-${basename(target)}`));
  try {
    await disk.write(isSpecial ? target : temporary, bytes, "w");
    if (isSpecial) return;
    await disk.sync(temporary);
    await disk.rename(temporary, target);
    await disk.syncFolder(folder);
  } catch (error) {
    await disk.remove(temporary).catch(() => {});
    throw toWriteFailure(path, error);
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
