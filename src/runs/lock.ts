import { readFileSync, rmSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { LockState } from "../engine/files/liveRun.js";
import { Failure, isSystemError } from "../terminal/failure.js";
import { disk } from "./disk.js";
import { temporaryName, toWriteFailure } from "./staging.js";

interface Owner {
  process: number;
  /** Start time of the process, if the system reports it, since process ids are reused. */
  began?: string;
  host: string;
}

/** Name of the lock file in a locked folder. */
export const lockFile = ".splatbook-lock";

const ownLocks = new Set<string>();

/** Milliseconds after which a lock without an owner is stale: its process ended before writing its name. */
const unnamedTimeout = 2000;

/**
 * Locks a folder for this process until it unlocks it or ends.
 * @returns a function that unlocks the folder
 * @throws Failure if another running process has the lock
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, lockFile);
  try {
    while (!(await createLock(path))) {
      const text = await readFile(path, "utf8").catch(() => undefined);
      if (text === undefined) continue;
      const owner = ownerOf(text);
      const isBeingWritten = !owner && (await fileAge(path)) < unnamedTimeout;
      if (isBeingWritten) await wait(20);
      else if (owner && isAlive(owner)) throw new Failure(lockedMessage(folder, owner));
      else await removeStale(path, text);
    }
  } catch (error) {
    throw toWriteFailure(folder, error);
  }
  if (ownLocks.size === 0) process.on("exit", releaseAll);
  ownLocks.add(path);
  return async () => {
    ownLocks.delete(path);
    if (ownLocks.size === 0) process.off("exit", releaseAll);
    await disk.remove(path).catch(() => {});
  };
}

/** Returns the state of a folder's lock; undefined if it has none. */
export async function lockState(folder: string): Promise<LockState> {
  const path = join(folder, lockFile);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const owner = ownerOf(text);
  return (owner ? isAlive(owner) : (await fileAge(path)) < unnamedTimeout) ? "held" : "abandoned";
}

/** Removes all locks when the process ends early, such as on a second Ctrl-C. */
function releaseAll(): void {
  for (const path of ownLocks) rmSync(path, { force: true });
}

async function createLock(path: string): Promise<boolean> {
  const self: Owner = { process: process.pid, began: processStartTime(process.pid), host: hostname() };
  try {
    await disk.write(path, JSON.stringify(self), "wx");
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the lock of a process that has ended. A guard file lets only one process do so, which keeps a newer lock
 * safe.
 */
async function removeStale(path: string, text: string): Promise<void> {
  const guard = join(dirname(path), temporaryName("-guard"));
  try {
    await disk.write(guard, "", "wx");
  } catch (error) {
    if (!isSystemError(error) || error.code !== "EEXIST") throw error;
    if ((await fileAge(guard)) > unnamedTimeout) await disk.remove(guard);
    await wait(20);
    return;
  }
  try {
    if ((await readFile(path, "utf8").catch(() => undefined)) === text) await disk.remove(path);
  } finally {
    await disk.remove(guard);
  }
}

function ownerOf(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

/** Returns whether a process is alive. Processes of other machines cannot be checked and count as alive. */
function isAlive({ process: id, began, host }: Owner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(id, 0);
  } catch (error) {
    return isSystemError(error) && error.code === "EPERM";
  }
  return processStartTime(id) === began;
}

/** Returns the start time of a process on Linux; undefined on other systems and for zombies. */
function processStartTime(id: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name may contain anything. After it come the state and, 19 fields later, the start time.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function lockedMessage(folder: string, { process: id, host }: Owner): string {
  const message = `${folder} is being written by another splatbook (process ${id}`;
  if (host === hostname()) return `${message}).`;
  return `${message} on ${host}); if it has ended, remove ${join(folder, lockFile)}.`;
}

/** Returns the milliseconds since a file was written; 0 if it does not exist. */
async function fileAge(path: string): Promise<number> {
  const fileStats = await stat(path).catch(() => undefined);
  return fileStats ? Date.now() - fileStats.mtimeMs : 0;
}
