import { browserPort } from "../../host/browser/browserWorker.js";
import { transferableBuffers, WorkerClient } from "../../host/workerClient.js";
import type { WorkerRequest, WorkerTasks } from "./functionWorker.js";

type Task = keyof WorkerTasks;
type Result<Name extends Task> = Awaited<ReturnType<WorkerTasks[Name]>>;

let worker: WorkerClient<WorkerRequest, unknown> | undefined;

/**
 * Runs a long task in a worker and returns its result. Arguments are copied.
 * @throws the error of the task
 */
export function runInWorker<Name extends Task>(
  task: Name,
  ...args: Parameters<WorkerTasks[Name]>
): Promise<Result<Name>> {
  return request(task, args, []);
}

/** Runs a task as `runInWorker` does, but transfers the typed arrays in its arguments, which are empty afterwards. */
export function runInWorkerTransferring<Name extends Task>(
  task: Name,
  ...args: Parameters<WorkerTasks[Name]>
): Promise<Result<Name>> {
  return request(task, args, transferableBuffers(args));
}

async function request<Name extends Task>(task: Name, args: unknown[], transfer: ArrayBuffer[]): Promise<Result<Name>> {
  if (!worker || worker.ended) {
    const url = import.meta.resolve("./functionWorker.js");
    worker = new WorkerClient(browserPort(new Worker(url, { type: "module" })), "The page's worker");
  }
  return (await worker.ask({ task, args }, transfer)) as Result<Name>;
}
