import type { RunSource } from "../../engine/files/runRecord.js";
import { readRunTable } from "./arrowReader.js";
import { decodeRunImage } from "./runImage.js";

/**
 * Returns a run source that reads Blobs: stored, dropped or picked files.
 * @param find returns a file of the run by name; undefined if there is none
 */
export function blobSource(name: string, find: (file: string) => Promise<Blob | undefined>): RunSource {
  return {
    name,
    async read(file) {
      const blob = await find(file);
      if (!blob) throw new Error(`it has no ${file}.`);
      try {
        return new Uint8Array(await blob.arrayBuffer());
      } catch {
        throw new Error(`${file} can no longer be read.`);
      }
    },
    readTable: (kind, bytes) => readRunTable(kind, new Blob([bytes as BlobPart])),
    decode: decodeRunImage,
    refusal: (why) => new Error(`The run ${name} cannot be used: ${why}`),
  };
}
