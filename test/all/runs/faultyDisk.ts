import { vi } from "vitest";
import { disk } from "../../../src/runs/disk.js";

/** Runs work while writes to some paths fail as on a full disk. */
export async function whileFull<T>(isFull: (path: string) => boolean, work: () => Promise<T>): Promise<T> {
  const { write } = disk;
  const spy = vi.spyOn(disk, "write").mockImplementation(async (path, ...rest) => {
    if (isFull(path)) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    return write(path, ...rest);
  });
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}
