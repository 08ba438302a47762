import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { RunRecord } from "../engine/runRecord.js";
import { decodeImage } from "../host/imageFile.js";
import { Failure, isSystemError } from "./failure.js";

/**
 * Opens the run that a folder holds.
 * @param name what it is called in errors
 * @throws Failure that names the folder and says what is wrong, as do the record's methods
 */
export async function openRunFolder(folder: string, name = folder): Promise<RunRecord> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new Failure(`There is no run ${name}.`);
  if (!found.isDirectory()) throw new Failure(`${name} is a file, not the folder of a run.`);
  return RunRecord.open({
    name,
    read: (file) => readPart(folder, file),
    decode: (_, file) => decodeImage(join(folder, file)),
    refusal: (why) => new Failure(`The run ${name} cannot be used: ${why}`),
  });
}

async function readPart(folder: string, name: string): Promise<Uint8Array> {
  try {
    return await readFile(join(folder, name));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Error(error.code === "ENOENT" ? `it has no ${name}.` : `${name} cannot be read (${error.code}).`);
  }
}
