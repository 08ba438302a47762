import { readdir, stat } from "node:fs/promises";
import { filmFolder, runFiles } from "../engine/files/runFiles.js";
import { Failure } from "../terminal/failure.js";
import { lockFolder } from "./lock.js";
import { clearBegun, followLink, makeFolder, settle, unwritable } from "./staging.js";

/**
 * Takes a folder for this command alone, makes it if it is not there, and puts in order what a command that was killed
 * left in it: what counts gets its name, what does not is removed.
 * @returns gives it back, and removes it again if it was made and nothing is in it by then
 * @throws Failure if another command writes into it, or none can
 */
export async function holdFolder(folder: string): Promise<() => Promise<void>> {
  const remove = await makeFolder(folder);
  let unlock: (() => Promise<void>) | undefined;
  const release = async () => {
    await unlock?.();
    await remove();
  };
  try {
    unlock = await lockFolder(folder);
    await settle(folder);
    await clearBegun(folder);
    return release;
  } catch (error) {
    await release();
    throw unwritable(folder, error);
  }
}

/**
 * Takes the folder of a new run.
 * @returns as `holdFolder`
 * @throws Failure if it holds a run, or a file that the run would replace
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const release = await holdFolder(folder);
  const names = await readdir(folder);
  const taken = [...Object.values(runFiles), filmFolder].filter((name) => names.includes(name));
  if (taken.length === 0) return release;
  await release();
  if (taken.includes(runFiles.description)) {
    throw new Failure(
      `${folder} already contains another run. Continue it with --resume ${folder}, or choose another folder with --out.`,
    );
  }
  throw new Failure(`${folder} holds ${taken.join(", ")} already; choose another folder with --out.`);
}

/** Whether there is a folder of this name. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** @throws Failure if there is a file already that may not be replaced, or a link that leads nowhere */
export async function claimFile(path: string, force: boolean | undefined): Promise<void> {
  const found = await stat(await followLink(path)).catch(() => undefined);
  if (found && !force) throw new Failure(`${path} is there already; --force replaces it.`);
}
