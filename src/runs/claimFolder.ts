import { readdir, stat } from "node:fs/promises";
import { filmFolder, runFiles } from "../engine/files/runFiles.js";
import { Failure } from "../terminal/failure.js";
import { lockFolder } from "./lock.js";
import { finishCommit, followLink, makeFolder, removeTemporary, toWriteFailure } from "./staging.js";

/**
 * Takes a folder for this command alone, makes it if it is not there, and puts in order what a command that was killed
 * left in it: what counts gets its name, what does not is removed.
 * @returns gives it back, and removes it again if it was made and nothing is in it by then
 * @throws Failure if another command writes into it, or none can
 */
export async function acquireFolder(folder: string): Promise<() => Promise<void>> {
  const removeIfEmpty = await makeFolder(folder);
  let unlock: (() => Promise<void>) | undefined;
  const release = async () => {
    await unlock?.();
    await removeIfEmpty();
  };
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
 * Takes the folder of a new run.
 * @returns as `acquireFolder`
 * @throws Failure if it holds a run, or a file that the run would replace
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
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
  throw new Failure(`${folder} holds ${existingNames.join(", ")} already; choose another folder with --out.`);
}

/** Whether there is a folder of this name. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** @throws Failure if there is a file already that may not be replaced, or a link that leads nowhere */
export async function checkReplaceable(path: string, force: boolean | undefined): Promise<void> {
  const fileStats = await stat(await followLink(path)).catch(() => undefined);
  if (fileStats && !force) throw new Failure(`${path} is there already; --force replaces it.`);
}
