import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

/** Bytes to read or hash at once. Node's limit is 2 GiB. */
const maxChunkBytes = 2 ** 30;

/**
 * Reads a file that may be larger than the 2 GiB of Node's `readFile`.
 * @param name name of the file in errors
 * @param maxBytes bytes to read at once
 * @throws Error of one sentence if it is too large, or a system error if it cannot be read
 */
export async function readLarge(path: string, name: string, maxBytes = maxChunkBytes): Promise<Buffer> {
  await using file = await open(path);
  const { size } = await file.stat();
  const bytes = allocateBuffer(size, name);
  return bytes.subarray(0, await fill(file, bytes, 0, maxBytes));
}

/** Returns a buffer with its own memory, so that it can be transferred to a thread. */
function allocateBuffer(size: number, name: string): Buffer {
  try {
    return Buffer.from(new ArrayBuffer(size));
  } catch {
    throw new Error(`${name} is too large to read: it has ${size} bytes.`);
  }
}

/**
 * Fills an array with the contents of a file from a position on.
 * @param maxBytes bytes to read at once
 * @returns the number of bytes that were read, which is smaller at the end of the file
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

/** Adds bytes of any length to a hash. */
export function updateHash(hash: Hash, bytes: Uint8Array | string, maxBytes = maxChunkBytes): Hash {
  if (typeof bytes === "string") return hash.update(bytes);
  for (let offset = 0; offset < bytes.length; offset += maxBytes)
    hash.update(bytes.subarray(offset, offset + maxBytes));
  return hash;
}

/** Returns the SHA-256 of bytes of any length, in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return updateHash(createHash("sha256"), bytes).digest("hex");
}
