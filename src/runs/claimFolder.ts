import { readdir, stat } from "node:fs/promises";
import { filmFolder, runFiles } from "../engine/files/runFiles.js";
import { Failure } from "../terminal/failure.js";
import { lockFolder } from "./lock.js";
import { finishCommit, makeFolder, removeTemporary, toWriteFailure } from "./staging.js";

/** Unlocks a folder, and removes it if it was created with its lock and is empty. */
export type FolderLock = AsyncDisposable & (() => Promise<void>);

/**
 * Locks a folder for this command, creates it if it does not exist, and recovers from a command that was killed:
 * committed files get their names, uncommitted ones are removed.
 * @throws Failure if another command writes into it, or it is not writable
 */
export async function acquireFolder(folder: string): Promise<FolderLock> {
  const removeIfEmpty = await makeFolder(folder);
  let unlock: (() => Promise<void>) | undefined;
  const unlockAndRemove = async () => {
    await unlock?.();
    await removeIfEmpty();
  };
  const release = Object.assign(unlockAndRemove, { [Symbol.asyncDispose]: unlockAndRemove });
  try {
    unlock = await lockFolder(folder);
    await finishCommit(folder);
    await removeTemporary(folder);
    return release;
  } catch (error) {
    await release();
    throw toWriteFailure(folder, error);
  }
}

/**
 * Locks the folder of a new run.
 * @throws Failure if it contains a run, or a file that the run would replace
 */
export async function claimFolder(folder: string): Promise<FolderLock> {
  const release = await acquireFolder(folder);
  const names = await readdir(folder);
  const existingNames = [...Object.values(runFiles), filmFolder].filter((name) => names.includes(name));
  if (existingNames.length === 0) return release;
  await release();
  if (existingNames.includes(runFiles.description)) {
    throw new Failure(
      `${folder} already contains another run. Continue it with --resume ${folder}, or choose another folder with --out.`,
    );
  }
  throw existingFilesFailure(folder, existingNames);
}

/** Returns the Failure for a folder that already contains files of another command. */
export function existingFilesFailure(folder: string, names: string[]): Failure {
  return new Failure(`${folder} already contains ${names.join(", ")}. Choose another folder with --out.`);
}

/** Returns whether a path is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
