import { readFile, stat } from "node:fs/promises";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";
import { readLarge } from "./largeFiles.js";

/** Returns whether a path is a file. A pipe is none. */
export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

/**
 * Reads a text file or a pipe, without the byte order mark that some editors write.
 * @throws Failure
 */
export function readText(path: string): Promise<string> {
  return orFailure(
    path,
    readFile(path).then((bytes) => new TextDecoder().decode(bytes)),
  );
}

/**
 * Reads a file of any size.
 * @throws Failure if it cannot be read, or an Error of one sentence if it is too large
 */
export function readBytes(path: string): Promise<Buffer> {
  return orFailure(path, readLarge(path, path));
}

function orFailure<T>(path: string, read: Promise<T>): Promise<T> {
  return read.catch((error) => {
    if (!isSystemError(error)) throw error;
    throw new Failure(
      error.code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read: ${reasonOf(error)}.`,
    );
  });
}
