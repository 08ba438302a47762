import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { disk } from "../../src/runs/disk.js";
import { lockFile } from "../../src/runs/lock.js";

type Operation = keyof typeof disk;
const operations = Object.keys(disk) as Operation[];
const own = { ...disk };

/** Does some work while what is written to some paths fails, as on a full disk. */
export async function whileFull<T>(isFull: (path: string) => boolean, work: () => Promise<T>): Promise<T> {
  const spy = vi.spyOn(disk, "write").mockImplementation(async (path, ...rest) => {
    if (isFull(path)) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    return own.write(path, ...rest);
  });
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}

/** What is thrown in place of an operation that a killed command did not come to. */
class Killed extends Error {}

/**
 * Does some work that is killed as the disk sees it: its operations from the one of a number on, counted from 0, never
 * happen, nor does what it would do to clean up. A file that it was writing is half there.
 * @param folder whose lock is left by a process that is no more
 * @returns the number of operations that happened
 */
export async function whileKilled(at: number, folder: string, work: () => Promise<unknown>): Promise<number> {
  let done = 0;
  const spies = operations.map((name) =>
    vi.spyOn(disk, name).mockImplementation(async (...args: unknown[]) => {
      if (done < at) {
        done++;
        // A disk that is only looked at from here loses nothing.
        if (name.startsWith("sync")) return;
        return (own[name] as (...given: unknown[]) => Promise<never>)(...args);
      }
      if (done === at && name === "write") {
        const [path, bytes, flag] = args as Parameters<typeof disk.write>;
        await own.write(path, bytes.slice(0, bytes.length / 2), flag);
      }
      done = Number.POSITIVE_INFINITY;
      throw new Killed("killed");
    }),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  bury(folder);
  return done;
}

/** Lets the lock that this process left in a folder be that of one that has ended. */
export function bury(folder: string): void {
  const path = join(folder, lockFile);
  try {
    const owner = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...owner, process: 2 ** 22 + 1 }));
  } catch {
    // It left none, or one that does not say whose it is.
  }
}
