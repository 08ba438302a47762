import { readSync } from "node:fs";
import { open } from "node:fs/promises";

/** Reads some bytes of a file from a place on; fewer where it ends before. */
export type ReadAt = (start: number, length: number) => Uint8Array;

/** The same of a file that is in memory. */
export function readFromMemory(bytes: Uint8Array): ReadAt {
  return (start, length) => bytes.subarray(start, start + length);
}

/** Does some work with a file on the disk. */
export async function readFromFile<T>(path: string, work: (read: ReadAt) => T | Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await work((start, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
      // To wait for each of thousands takes longer than to read them.
      return bytes.subarray(0, readSync(file.fd, bytes, 0, bytes.length, start));
    });
  } finally {
    await file.close();
  }
}
