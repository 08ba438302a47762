import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { readdir, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { LockState } from "../engine/files/liveRun.js";
import { Failure, isSystemError } from "../terminal/failure.js";
import { disk } from "./disk.js";
import { temporaryName, toWriteFailure } from "./staging.js";

/** The lock in a locked folder: a folder with one file, which is named after the process that has the lock. */
export const lockName = ".splatbook-lock";

/** The host of this process, without underscores. */
const ownHost = encodeURIComponent(hostname()).replaceAll("_", "%5F");

/** Returns the name of a process: its id, its start time if the system reports it, since ids are reused, and its host. */
const ownerName = (id = process.pid) => [id, processStartTime(id) ?? "-", ownHost].join("_");

/**
 * Locks a folder for this process until it unlocks it or ends.
 * @returns a function that unlocks the folder
 * @throws Failure if another running process has the lock
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const [lock, made] = [join(folder, lockName), join(folder, temporaryName(`-lock-${randomUUID()}`))];
  const own = ownerName();
  try {
    while (!(await take(made, own, lock))) {
      for (const owner of await ownersIn(lock)) {
        if (isAlive(owner)) throw new Failure(lockedMessage(folder, owner));
        // No other lock has this name, so a newer one is safe.
        await disk.remove(join(lock, owner));
      }
      await disk.rmdir(lock).catch(() => {});
      // Earlier versions wrote a file.
      await unlink(lock).catch(() => {});
    }
  } catch (error) {
    throw toWriteFailure(folder, error);
  }
  // When the process ends early, such as on a second Ctrl-C.
  const removeOwn = () => rmSync(join(lock, own), { force: true });
  process.on("exit", removeOwn);
  return async () => {
    process.off("exit", removeOwn);
    await disk.remove(join(lock, own)).catch(() => {});
    await disk.rmdir(lock).catch(() => {});
  };
}

/**
 * Makes a lock, and gives it its name. Returns false if that is taken: no folder replaces one with a file in it.
 * @param made temporary path, which another command may remove that has just got the lock
 */
async function take(made: string, owner: string, lock: string): Promise<boolean> {
  const taken = ["EEXIST", "ENOTEMPTY", "ENOTDIR", ...(process.platform === "win32" ? ["EPERM"] : [])];
  await disk.mkdir(made);
  try {
    await disk.write(join(made, owner), "", "w");
    await disk.rename(made, lock);
    return true;
  } catch (error) {
    await disk.remove(made);
    if (isSystemError(error) && (taken.includes(error.code ?? "") || (await ownersIn(lock)).length > 0)) return false;
    throw error;
  }
}

/** Returns the state of a folder's lock; undefined if it has none. */
export async function lockState(folder: string): Promise<LockState> {
  const [owner] = await ownersIn(join(folder, lockName));
  if (owner === undefined) return undefined;
  return isAlive(owner) ? "held" : "abandoned";
}

const ownersIn = (lock: string) => readdir(lock).catch(() => []);

/** Returns whether a process is alive. Processes of other machines cannot be checked and count as alive. */
function isAlive(owner: string): boolean {
  const [id, began, host] = owner.split("_");
  if (host !== ownHost) return host !== undefined;
  try {
    process.kill(Number(id), 0);
  } catch (error) {
    return isSystemError(error) && error.code === "EPERM";
  }
  return (processStartTime(Number(id)) ?? "-") === began;
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

function lockedMessage(folder: string, owner: string): string {
  const [id, , host] = owner.split("_");
  const message = `${folder} is being written by another splatbook (process ${id}`;
  if (host === ownHost) return `${message}).`;
  const place = join(folder, lockName);
  return `${message} on ${decodeURIComponent(host)}); if it has ended, remove ${place}.`;
}
