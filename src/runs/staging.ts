import { createHash, type Hash } from "node:crypto";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";
import { disk } from "./disk.js";
import { addTo } from "./largeFiles.js";
import { pathWithin } from "./pathWithin.js";

/** Where files lie until all of them are complete, and from when on they count until they have their names. */
const begun = ".splatbook-next";
const committedFolder = ".splatbook-commit";

/** What a file or folder is called that counts for nothing if its command ends before it. */
export const begunFile = (tag: string) => `${begun}${tag}`;

/**
 * Files that appear in a folder together: they are written into a folder of their own, and one rename of that makes them
 * count. Then they are moved to their names; whoever finds some that are not moved yet moves them (`settle`), and whoever
 * only reads looks for them there first (`whereIs`). So a command that is killed leaves all of them or none.
 */
export class Staging {
  readonly #next: string;
  /** SHA-256 of the files, by their names. */
  readonly #hashes = new Map<string, Hash>();
  /** Folders that were made. */
  readonly #made = new Set<string>();

  /** @param tag tells several stagings in one folder apart */
  constructor(
    readonly folder: string,
    tag = "",
  ) {
    this.#next = join(folder, begunFile(tag));
  }

  /**
   * Writes a file, or adds to one that was begun; its name may lead into a folder in the folder.
   * @throws Failure if its name leads out of the folder, or it cannot be written; what was written before is then removed
   */
  async write(name: string, bytes: Uint8Array | string): Promise<void> {
    await this.#attempt(async () => {
      const path = pathWithin(this.#next, name);
      if (this.#made.size === 0) await disk.remove(this.#next);
      for (const folder of [this.#next, dirname(path)]) {
        if (!this.#made.has(folder)) await disk.mkdir(folder);
        this.#made.add(folder);
      }
      const hash = this.#hashes.get(name);
      await disk.write(path, bytes, hash ? "a" : "w");
      this.#hashes.set(name, addTo(hash ?? createHash("sha256"), bytes));
    });
  }

  /** SHA-256 of each file so far, in hexadecimal, by its name. */
  hashes(): Record<string, string> {
    return Object.fromEntries([...this.#hashes].map(([name, hash]) => [name, hash.copy().digest("hex")]));
  }

  /** Makes the files count, all at once. */
  async commit(): Promise<void> {
    await this.#attempt(async () => {
      for (const name of this.#hashes.keys()) await disk.sync(join(this.#next, name));
      for (const folder of this.#made) await disk.syncFolder(folder);
      await settle(this.folder);
      await disk.rename(this.#next, join(this.folder, committedFolder));
      this.#forget();
      await disk.syncFolder(this.folder);
      await settle(this.folder);
    });
  }

  /** Removes what was not committed. */
  async discard(): Promise<void> {
    if (this.#made.size > 0) await disk.remove(this.#next).catch(() => {});
    this.#forget();
  }

  #forget(): void {
    this.#hashes.clear();
    this.#made.clear();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.discard();
      throw unwritable(this.folder, error);
    }
  }
}

/**
 * Gives committed files their names, where that was not done to its end. Others may do it at the same time, since a file
 * that was committed may be moved at any moment and by anyone.
 */
export async function settle(folder: string): Promise<void> {
  const committed = join(folder, committedFolder);
  const entries = await readdir(committed, { recursive: true, withFileTypes: true }).catch(unlessMissing);
  if (!entries) return;
  const folders = new Set<string>([folder]);
  for (const entry of entries.filter((entry) => !entry.isDirectory())) {
    const from = join(entry.parentPath, entry.name);
    const to = join(folder, from.slice(committed.length));
    folders.add(dirname(to));
    await makeFolders(dirname(to));
    await disk.rename(from, to).catch(unlessMissing);
  }
  for (const path of folders) await disk.syncFolder(path);
  for (const entry of entries.filter((entry) => entry.isDirectory())) {
    await disk.rmdir(join(entry.parentPath, entry.name)).catch(unlessMissing);
  }
  await disk.rmdir(committed).catch(unlessMissing);
}

/** Removes what commands that are no more have begun in a folder. */
export async function clearBegun(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith(begun)) await disk.remove(join(folder, name));
}

/** The paths of a file, where it may have been committed and not moved yet: the first one that exists holds it. */
export function whereIs(folder: string, name: string): string[] {
  return [join(folder, committedFolder, name), join(folder, name)];
}

/** Of a folder that others may be writing too, what is gone or filled again is no error. */
function unlessMissing(error: unknown): undefined {
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
    const made = await makeFolders(folder);
    return async () => {
      if (made) await disk.rmdir(folder).catch(() => {});
    };
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** Node's own way of doing that never ends where a folder exists that takes no others, such as /proc. */
async function makeFolders(folder: string): Promise<boolean> {
  const make = async () => {
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
    return await make();
  } catch (error) {
    const parent = dirname(folder);
    if (!isSystemError(error) || error.code !== "ENOENT" || parent === folder) throw error;
    await makeFolders(parent);
    return make();
  }
}

/** Why a folder could not be written to, as a sentence. */
export function unwritable(folder: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new Failure(`Nothing could be written to ${folder}: ${reasonOf(error)}.`);
}

/**
 * Writes one file, whole or not at all, and makes the folder that it lies in. What is a link stays one; what is no file,
 * such as a pipe, is written into.
 * @throws Failure
 */
export async function writeFile(path: string, bytes: Uint8Array): Promise<void> {
  await place(path, async (target, temporary) => {
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
  await place(path, async (_, temporary) => {
    if (temporary) await disk.write(temporary, "", "w");
  });
}

/** Does some work at a file's place, with the name of a temporary file beside it, unless what lies there is no file. */
async function place(path: string, work: (target: string, temporary?: string) => Promise<void>): Promise<void> {
  const target = await followLink(path);
  await makeFolder(dirname(target));
  const found = await stat(target).catch(() => undefined);
  const temporary = join(dirname(target), `.${basename(target)}.splatbook-${process.pid}`);
  try {
    if (found && !found.isFile()) await work(target);
    else await work(target, temporary);
  } catch (error) {
    throw unwritable(path, error);
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
    throw isDangling ? new Failure(`${path} is a link to nothing.`) : unwritable(path, error);
  }
}
