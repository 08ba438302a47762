import { browserPort } from "../../host/browser/browserWorker.js";
import { liveClient } from "../../host/workerClient.js";
import type { WorkerRequest, WorkerTasks } from "./functionWorker.js";

type Task = keyof WorkerTasks;
type Result<Name extends Task> = Awaited<ReturnType<WorkerTasks[Name]>>;

const worker = liveClient<WorkerRequest, unknown>(
  () => browserPort(import.meta.resolve("./functionWorker.js")),
  "The page's worker",
);

/**
 * Runs a long task in a worker and returns its result. Arguments are copied.
 * @throws the error of the task
 */
export async function runInWorker<Name extends Task>(
  task: Name,
  ...args: Parameters<WorkerTasks[Name]>
): Promise<Result<Name>> {
  return (await worker().ask({ task, args })) as Result<Name>;
}
