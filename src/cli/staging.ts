import { mkdir, open, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure, isSystemError } from "./failure.js";

/**
 * Files that appear in a folder together: each is written under a temporary name beside its own, and nothing of what
 * is there changes until all of them are complete.
 */
export class Staging {
  readonly #names: string[] = [];
  /** Folders in the folder, made for files that lie there. */
  readonly #made = new Set<string>();

  /** @param tag tells the temporary files of several stagings in one folder apart */
  constructor(
    readonly folder: string,
    readonly tag = "",
  ) {}

  /** Writes a file, or adds to one that was begun; its name may lead into a folder in the folder. */
  async write(name: string, bytes: Uint8Array | string): Promise<void> {
    const begun = this.#names.includes(name);
    if (!begun) this.#names.push(name);
    await this.#attempt(async () => {
      const made = await mkdir(dirname(this.#temporary(name)), { recursive: true });
      if (made) this.#made.add(made);
      const file = await open(this.#temporary(name), begun ? "a" : "w");
      try {
        await file.writeFile(bytes);
      } finally {
        await file.close();
      }
    });
  }

  /** Gives the files their names, in the order in which they were begun. */
  async commit(): Promise<void> {
    await this.#attempt(async () => {
      for (const name of this.#names) await rename(this.#temporary(name), join(this.folder, name));
      this.#names.length = 0;
      this.#made.clear();
    });
  }

  /** Removes what was not committed. */
  async discard(): Promise<void> {
    for (const name of this.#names) await rm(this.#temporary(name), { force: true });
    this.#names.length = 0;
    for (const folder of this.#made) await rmdir(folder).catch(() => {});
    this.#made.clear();
  }

  #temporary(name: string): string {
    return join(this.folder, `${name}${this.tag}.tmp`);
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
 * Makes a folder, and the folders that it lies in.
 * @returns removes again what was made, unless something is in it by then
 */
export async function makeFolder(folder: string): Promise<() => Promise<void>> {
  try {
    if ((await stat(folder).catch(() => undefined))?.isDirectory() === false) {
      throw new Failure(`${folder} is a file, so nothing can be written into it.`);
    }
    const made = await mkdir(folder, { recursive: true });
    return async () => {
      if (made) await rmdir(folder).catch(() => {});
    };
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** Why a folder could not be written to, as a sentence. */
function unwritable(folder: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  const reasons: Record<string, string> = {
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    EACCES: "that is not permitted",
    EPERM: "that is not permitted",
    EROFS: "the disk is read-only",
    ENOTDIR: "a part of its path is a file",
    EISDIR: "a folder lies where a file should",
  };
  const reason = reasons[error.code ?? ""] ?? error.message.replace(/[.\s]*$/, "");
  return new Failure(`Nothing could be written to ${folder}: ${reason}.`);
}

/** Writes one file, whole or not at all, and makes the folder that it lies in. */
export async function writeFile(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(folder);
  const staging = new Staging(folder);
  await staging.write(name, bytes);
  await staging.commit();
}
