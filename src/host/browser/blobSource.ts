import type { RunSource } from "../../engine/files/runRecord.js";
import { readRunTable } from "./arrowReader.js";
import { decodeRunImage } from "./runImage.js";

/**
 * A run whose files are blobs of the browser: stored, dropped or picked.
 * @param find a file by its name in the run's folder; undefined if there is none
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
        throw new Error(`${file} cannot be read any more.`);
      }
    },
    readTable: (kind, bytes) => readRunTable(kind, new Blob([bytes as BlobPart])),
    decode: decodeRunImage,
    refusal: (why) => new Error(`The run ${name} cannot be used: ${why}`),
  };
}
