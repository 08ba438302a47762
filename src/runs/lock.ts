import { readFileSync, rmSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Failure, isSystemError } from "../terminal/failure.js";
import { disk } from "./disk.js";
import { temporaryName, toWriteFailure } from "./staging.js";

/** Who writes into a folder. */
interface Owner {
  process: number;
  /** When the process began, where the system tells it, since numbers of processes come again. */
  began?: string;
  host: string;
}

/** The name of a lock in the folder that it locks. */
export const lockFile = ".splatbook-lock";

/** The locks that this process has. */
const ownLocks = new Set<string>();

/** Milliseconds after which a lock that names nobody was left by one who died before naming himself. */
const unnamedTimeout = 2000;

/**
 * Lets this command alone write into a folder, until it says otherwise or ends, however that may be.
 * @returns lets others write again
 * @throws Failure if another command, which is alive, writes there
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

/** Where the process ends in the middle, as on a second Ctrl-C. */
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

/** Removes the lock of a command that is no more. One at a time, so that nobody removes the lock of who came after it. */
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

/** Of a process of another machine that is not to be known, so that it counts as alive. */
function isAlive({ process: id, began, host }: Owner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(id, 0);
  } catch (error) {
    return isSystemError(error) && error.code === "EPERM";
  }
  return processStartTime(id) === began;
}

/** When a process began, as Linux counts it; undefined elsewhere, and of one that has ended and is not yet buried. */
function processStartTime(id: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    // Behind the name, which may hold anything: state, and 19 fields later the start.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function lockedMessage(folder: string, { process: id, host }: Owner): string {
  const message = `${folder} is being written by another splatbook (process ${id}`;
  if (host === hostname()) return `${message}).`;
  return `${message} on ${host}); if that has ended, remove ${join(folder, lockFile)}.`;
}

/** Milliseconds since a file was written; 0 if there is none. */
async function fileAge(path: string): Promise<number> {
  const fileStats = await stat(path).catch(() => undefined);
  return fileStats ? Date.now() - fileStats.mtimeMs : 0;
}
