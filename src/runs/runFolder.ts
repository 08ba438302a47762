import { stat } from "node:fs/promises";
import { join } from "node:path";
import { runFiles } from "../engine/files/runFiles.js";
import { RunRecord } from "../engine/files/runRecord.js";
import { decodePicture } from "../host/node/imageFile.js";
import { tableReader } from "../host/node/tables.js";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";
import { readLarge, sha256 } from "./largeFiles.js";
import { settle, whereIs } from "./staging.js";

/** Reads a table that a command is given, which it may give up. */
export const readTable = tableReader();

/**
 * Opens the run that a folder holds.
 * @param name what it is called in errors
 * @throws Failure that names the folder and says what is wrong, as do the record's methods
 */
export async function openRunFolder(folder: string, name = folder): Promise<RunRecord> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new Failure(`There is no run ${name}.`);
  if (!found.isDirectory()) throw new Failure(`${name} is a file, not the folder of a run.`);
  // Of a folder that may not be changed, what is not settled is read where it lies.
  await settle(folder).catch(() => {});
  let opened: Uint8Array | undefined;
  return RunRecord.open({
    name,
    async read(file) {
      const bytes = await readPart(folder, file);
      opened ??= bytes;
      // A run under way changes as a whole every few seconds.
      const isSame = file === runFiles.description || (await readPart(folder, runFiles.description)).equals(opened);
      if (!isSame) throw new Error("it was written anew while it was read; try again.");
      return bytes;
    },
    sha256,
    readTable,
    decode: (png, file) => decodePicture(png, join(folder, file)),
    refusal: (why) => new Failure(`The run ${name} cannot be used: ${why}`),
  });
}

async function readPart(folder: string, name: string): Promise<Buffer> {
  for (const path of whereIs(folder, name)) {
    try {
      return await readLarge(path, name);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (error.code !== "ENOENT") throw new Error(`${name} cannot be read: ${reasonOf(error)}.`);
    }
  }
  throw new Error(`it has no ${name}.`);
}
