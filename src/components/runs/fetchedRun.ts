import type { RunSource } from "../../engine/files/runRecord.js";
import { readTableInThread } from "../../engine/files/tables.js";
import { FileError } from "../page/help.js";

/**
 * Returns the source of a run on a web server.
 * @param addressOf returns the address of a file
 * @param errorPrefix the start of error messages, before the reason
 */
export function fetchedRun(
  name: string,
  addressOf: (file: string) => string,
  decode: RunSource["decode"],
  errorPrefix = `The run ${name} cannot be shown: `,
): RunSource {
  return {
    name,
    read: (file) => fetchFile(addressOf(file), file),
    readTable: readTableInThread,
    decode,
    refusal: (reason) => new FileError(errorPrefix + reason),
  };
}

/**
 * Fetches a file.
 * @throws Error of one sentence that names the file
 */
export async function fetchFile(address: string, name: string): Promise<Uint8Array> {
  const response = await fetch(address).catch(() => undefined);
  if (!response?.ok) throw new Error(`${name} cannot be fetched.`);
  return new Uint8Array(await response.arrayBuffer());
}
