import type { Tables } from "../../engine/files/tables.js";
import type { ArrowRows } from "../arrowBatches.js";
import { WorkerClient } from "../workerClient.js";
import type { ArrowAnswer, ArrowQuestion } from "./arrowWorker.js";
import { browserPort } from "./browserWorker.js";

/**
 * Reads an Arrow IPC file in a worker, one record batch at a time, so that large files neither block the page nor fill
 * its memory. Leaving the loop ends the worker.
 * @param name name of the file, for errors
 * @throws Error of one sentence if the file is not an Arrow file, truncated or damaged, or has a column with nulls or
 * of an unsupported type
 */
export async function* arrowBatches(file: Blob, name: string): AsyncGenerator<ArrowRows> {
  const worker = startWorker();
  try {
    const count = (await worker.askWithTimeout(file.size, { open: file, name })) as number;
    for (let batch = 0; batch < count; batch++) yield (await worker.askWithTimeout(file.size, { batch })) as ArrowRows;
  } finally {
    end(worker);
  }
}

/**
 * Reads all rows of an Arrow IPC file in a worker.
 * @throws Error of one sentence, as `arrowBatches`
 */
export function readArrow(file: Blob, name: string): Promise<ArrowRows> {
  return askOnce(file, { all: file, name }) as Promise<ArrowRows>;
}

/**
 * Reads and checks a file of a run in a worker.
 * @throws Error of one sentence, as the reader of that kind in the engine
 */
export function readRunTable<Kind extends keyof Tables>(kind: Kind, file: Blob): Promise<Tables[Kind]> {
  return askOnce(file, { kind, run: file }) as Promise<Tables[Kind]>;
}

async function askOnce({ size }: Blob, question: ArrowQuestion): Promise<ArrowAnswer> {
  const worker = startWorker();
  try {
    return await worker.askWithTimeout(size, question);
  } finally {
    end(worker);
  }
}

/** Starts a worker for one file, so that its memory is freed afterwards. */
function startWorker(): WorkerClient<ArrowQuestion, ArrowAnswer> {
  const worker = new Worker(import.meta.resolve("./arrowWorker.js"), { type: "module" });
  return new WorkerClient(browserPort(worker), "The thread that reads tables");
}

function end(worker: WorkerClient<ArrowQuestion, ArrowAnswer>): void {
  worker.end(new Error("The file has been closed."));
}
