import { stat } from "node:fs/promises";
import { join } from "node:path";
import { runFiles } from "../engine/files/runFiles.js";
import { RunRecord } from "../engine/files/runRecord.js";
import { decodeImageBytes } from "../host/node/imageFile.js";
import { tableReader } from "../host/node/tables.js";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";
import { readLarge, sha256 } from "./largeFiles.js";
import { candidatePaths } from "./staging.js";

/** Reads a table in a thread, which is ended if it takes too long. */
export const readTable = tableReader();

/**
 * Opens the run in a folder.
 * @param name name of the run in errors
 * @throws Failure with the folder and the reason, as do the record's methods
 */
export async function openRunFolder(folder: string, name = folder): Promise<RunRecord> {
  const folderStats = await stat(folder).catch(() => undefined);
  if (!folderStats) throw new Failure(`There is no run ${name}.`);
  if (!folderStats.isDirectory()) throw new Failure(`${name} is a file, not the folder of a run.`);
  let openedDescription: Uint8Array | undefined;
  return RunRecord.open({
    name,
    async read(file) {
      const bytes = await readRunFile(folder, file);
      openedDescription ??= bytes;
      // A running command replaces all files every few seconds.
      const isUnchanged =
        file === runFiles.description || (await readRunFile(folder, runFiles.description)).equals(openedDescription);
      if (!isUnchanged) throw new Error("it changed while it was read. Try again.");
      return bytes;
    },
    sha256,
    readTable,
    decode: (png, file) => decodeImageBytes(png, join(folder, file)),
    refusal: (reason) => new Failure(`The run ${name} cannot be used: ${reason}`),
  });
}

/** Returns a file of a folder, which may be committed but not yet moved to its name. */
export async function readRunFile(folder: string, name: string): Promise<Buffer> {
  for (const path of candidatePaths(folder, name)) {
    try {
      return await readLarge(path, name);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (error.code !== "ENOENT") throw new Error(`${name} cannot be read: ${reasonOf(error)}.`);
    }
  }
  throw new Error(`it has no ${name}.`);
}
