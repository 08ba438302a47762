import { WorkerClient } from "../workerClient.js";
import { browserPort } from "./browserWorker.js";
import type { RunContents, WrittenRun } from "./writtenRun.js";

let thread: WorkerClient<RunContents, WrittenRun> | undefined;

/**
 * Returns the files of a run, written in a worker.
 * @throws Error of one sentence
 */
export function writeRun(contents: RunContents): Promise<WrittenRun> {
  if (!thread || thread.ended) {
    const worker = new Worker(import.meta.resolve("./runWriterWorker.js"), { type: "module" });
    thread = new WorkerClient(browserPort(worker), "The thread that writes runs");
  }
  return thread.ask(contents);
}
