import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

/** Bytes that Node is asked to read or to hash at once: it takes less than 2 GiB. */
const maxChunkBytes = 2 ** 30;

/**
 * Reads a file of any size that an array can hold, where Node's `readFile` ends at 2 GiB.
 * @param name what it is called in errors
 * @param maxBytes bytes to read at once
 * @throws Error of one sentence if it is too large, and what the system says if it cannot be read
 */
export async function readLarge(path: string, name: string, maxBytes = maxChunkBytes): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = allocateBuffer(size, name);
    return bytes.subarray(0, await fill(file, bytes, 0, maxBytes));
  } finally {
    await file.close();
  }
}

/** Memory of its own, which may be handed over to a thread. */
function allocateBuffer(size: number, name: string): Buffer {
  try {
    return Buffer.from(new ArrayBuffer(size));
  } catch {
    throw new Error(`${name} is too large to be read: it has ${size} bytes.`);
  }
}

/**
 * Fills an array with what a file holds from a place on.
 * @param maxBytes bytes to read at once
 * @returns how many bytes there were
 */
export async function fill(
  file: FileHandle,
  bytes: Uint8Array,
  position: number,
  maxBytes = maxChunkBytes,
): Promise<number> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesRead } = await file.read(bytes, offset, Math.min(maxBytes, bytes.length - offset), position + offset);
    if (bytesRead === 0) break;
    offset += bytesRead;
  }
  return offset;
}

/** Adds any number of bytes to a hash. */
export function updateHash(hash: Hash, bytes: Uint8Array | string, maxBytes = maxChunkBytes): Hash {
  if (typeof bytes === "string") return hash.update(bytes);
  for (let offset = 0; offset < bytes.length; offset += maxBytes)
    hash.update(bytes.subarray(offset, offset + maxBytes));
  return hash;
}

/** SHA-256 of any number of bytes, in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return updateHash(createHash("sha256"), bytes).digest("hex");
}
