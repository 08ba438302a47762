import { readSync } from "node:fs";
import { open } from "node:fs/promises";

/** Reads bytes of a file from an offset on; fewer at the end of the file. */
export type ReadAt = (start: number, length: number) => Uint8Array;

/** Returns a reader for a file in memory. */
export function readFromMemory(bytes: Uint8Array): ReadAt {
  return (start, length) => bytes.subarray(start, start + length);
}

/** Calls `work` with a reader for a file, and returns its result. */
export async function readFromFile<T>(path: string, work: (read: ReadAt) => T | Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await work((start, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
      // Thousands of asynchronous reads would be slower.
      return bytes.subarray(0, readSync(file.fd, bytes, 0, bytes.length, start));
    });
  } finally {
    await file.close();
  }
}
