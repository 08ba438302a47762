import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { disk } from "../../../src/runs/disk.js";
import { lockFile } from "../../../src/runs/lock.js";

type Operation = keyof typeof disk;
const operations = Object.keys(disk) as Operation[];
const own = { ...disk };

/** Runs work while writes to some paths fail as on a full disk. */
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

/** Thrown by disk operations after the kill. */
class Killed extends Error {}

/**
 * Runs work that is killed at a disk operation, counted from 0: later operations do nothing, including its cleanup. A
 * file that is being written is left half written.
 * @param folder folder that keeps a stale lock
 * @returns the number of operations that happened
 */
export async function whileKilled(at: number, folder: string, work: () => Promise<unknown>): Promise<number> {
  let done = 0;
  const spies = operations.map((name) =>
    vi.spyOn(disk, name).mockImplementation(async (...args: unknown[]) => {
      if (done < at) {
        done++;
        // Reads are not affected.
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

/** Makes the lock of this process in a folder that of a process that has ended. */
export function bury(folder: string): void {
  const path = join(folder, lockFile);
  try {
    const owner = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...owner, process: 2 ** 22 + 1 }));
  } catch {
    // There is no lock, or it has no owner.
  }
}
