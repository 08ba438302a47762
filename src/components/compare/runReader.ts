import { browserPort } from "../../host/browser/browserWorker.js";
import { WorkerClient } from "../../host/workerClient.js";
import type { TableData, TableRequest } from "./runReaderWorker.js";

let reader: WorkerClient<TableRequest, TableData> | undefined;

/**
 * Reads a table of a run away from the page's own thread; bytes are handed over to it.
 * @throws Error of one sentence
 */
export function readTable(request: TableRequest): Promise<TableData> {
  if (!reader || reader.ended) {
    const worker = new Worker(import.meta.resolve("./runReaderWorker.js"), { type: "module" });
    reader = new WorkerClient(browserPort(worker), "The thread that reads tables");
  }
  const { file } = request;
  if (file instanceof Blob) return reader.askWithTimeout(file.size, request);
  return reader.askWithTimeout(file.length, request, [file.buffer as ArrayBuffer]);
}
