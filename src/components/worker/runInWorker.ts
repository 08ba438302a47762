import { browserPort } from "../../host/browser/browserWorker.js";
import { WorkerClient } from "../../host/workerClient.js";
import type { WorkerRequest, WorkerTasks } from "./functionWorker.js";

type Task = keyof WorkerTasks;
type Result<Name extends Task> = Awaited<ReturnType<WorkerTasks[Name]>>;

let worker: WorkerClient<WorkerRequest, unknown> | undefined;

/**
 * Runs a long task in a worker and returns its result. Arguments are copied.
 * @throws the error of the task
 */
export async function runInWorker<Name extends Task>(
  task: Name,
  ...args: Parameters<WorkerTasks[Name]>
): Promise<Result<Name>> {
  if (!worker || worker.ended) {
    const url = import.meta.resolve("./functionWorker.js");
    worker = new WorkerClient(browserPort(new Worker(url, { type: "module" })), "The page's worker");
  }
  return (await worker.ask({ task, args })) as Result<Name>;
}
