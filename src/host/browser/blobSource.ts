import type { RunSource } from "../../engine/files/runRecord.js";
import type { ReadTable, Tables } from "../../engine/files/tables.js";
import type { Image } from "../../engine/image/image.js";
import { WorkerClient } from "../workerClient.js";
import { browserPort } from "./browserWorker.js";
import { decodeImage } from "./images.js";

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
    readTable,
    decode: decodeRunImage,
    refusal: (why) => new Error(`The run ${name} cannot be used: ${why}`),
  };
}

/** Decodes an image of a run, for `RunSource`. */
export async function decodeRunImage(png: Uint8Array, file: string): Promise<Image> {
  const blob = new Blob([png as Uint8Array<ArrayBuffer>], { type: "image/png" });
  return (await decodeImage(blob, file, Number.POSITIVE_INFINITY)).image;
}

/**
 * Reads and checks a table in a worker, which is ended afterwards so that its memory is freed.
 * @throws Error of one sentence, as the reader of that kind in the engine
 */
const readTable: ReadTable = async (kind, bytes) => {
  const port = browserPort(import.meta.resolve("./arrowWorker.js"));
  const client = new WorkerClient<Parameters<ReadTable>, Tables[typeof kind]>(port, "The thread that reads tables");
  try {
    return await client.askWithTimeout(bytes.length, [kind, bytes], [bytes.buffer as ArrayBuffer]);
  } finally {
    client.end(new Error("The file has been closed."));
  }
};
