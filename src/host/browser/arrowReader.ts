import type { Tables } from "../../engine/files/tables.js";
import type { ArrowRows } from "../arrowBatches.js";
import { WorkerClient } from "../workerClient.js";
import type { ArrowAnswer, ArrowQuestion } from "./arrowWorker.js";
import { browserPort } from "./browserWorker.js";

/**
 * Reads an Arrow IPC file in a worker, a record batch at a time, however large the file is: millions of rows do not hold
 * the page up. No more of it is in memory than the batches that are asked for; whoever leaves the loop ends the worker.
 * @param name the file's, for the errors
 * @throws Error of one sentence if the file is truncated, damaged or something else, or has a column without values or of
 * a type that is not read here
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
 * Reads all rows of an Arrow IPC file in a worker, which hands whole columns over.
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

/** One for each file, so that its memory goes with it. */
function startWorker(): WorkerClient<ArrowQuestion, ArrowAnswer> {
  const worker = new Worker(import.meta.resolve("./arrowWorker.js"), { type: "module" });
  return new WorkerClient(browserPort(worker), "The thread that reads tables");
}

function end(worker: WorkerClient<ArrowQuestion, ArrowAnswer>): void {
  worker.end(new Error("The file is closed."));
}
