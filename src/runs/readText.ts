import { readFile } from "node:fs/promises";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";

/**
 * Reads a text file.
 * @throws Failure
 */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Failure(
      error.code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read: ${reasonOf(error)}.`,
    );
  }
}
