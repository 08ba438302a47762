import { liveClient } from "../workerClient.js";
import { browserPort } from "./browserWorker.js";
import type { RunContents, WrittenRun } from "./writtenRun.js";

const writer = liveClient<RunContents, WrittenRun>(
  () => browserPort(import.meta.resolve("./runWriterWorker.js")),
  "The thread that writes runs",
);

/**
 * Returns the files of a run, written in a worker.
 * @throws Error of one sentence
 */
export function writeRun(contents: RunContents): Promise<WrittenRun> {
  return writer().ask(contents);
}
