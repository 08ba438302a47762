import type { Tables } from "../../engine/files/tables.js";
import { WorkerClient } from "../workerClient.js";
import type { TableQuestion } from "./arrowWorker.js";
import { browserPort } from "./browserWorker.js";

/**
 * Reads and checks a file of a run in a worker, which is ended afterwards so that its memory is freed.
 * @throws Error of one sentence, as the reader of that kind in the engine
 */
export async function readRunTable<Kind extends keyof Tables>(kind: Kind, file: Blob): Promise<Tables[Kind]> {
  const worker = new Worker(import.meta.resolve("./arrowWorker.js"), { type: "module" });
  const client = new WorkerClient<TableQuestion, Tables[keyof Tables]>(
    browserPort(worker),
    "The thread that reads tables",
  );
  try {
    return (await client.askWithTimeout(file.size, { kind, file })) as Tables[Kind];
  } finally {
    client.end(new Error("The file has been closed."));
  }
}
