import { AskedWorker, buffersOf } from "../../host/askedWorker.js";
import { browserPort } from "../../host/browser/browserWorker.js";
import type { Backstage, BackstageQuestion } from "./backstageWorker.js";

type Task = keyof Backstage;
type Result<Name extends Task> = Awaited<ReturnType<Backstage[Name]>>;

let worker: AskedWorker<BackstageQuestion, unknown> | undefined;

/**
 * Runs a long task in a worker and returns its result. Arguments are copied.
 * @throws the error of the task
 */
export function backstage<Name extends Task>(task: Name, ...given: Parameters<Backstage[Name]>): Promise<Result<Name>> {
  return ask(task, given, []);
}

/** The same; the arrays that the task is given are handed over, and are empty here from then on. */
export function handBackstage<Name extends Task>(
  task: Name,
  ...given: Parameters<Backstage[Name]>
): Promise<Result<Name>> {
  return ask(task, given, buffersOf(given));
}

async function ask<Name extends Task>(task: Name, given: unknown[], handed: ArrayBuffer[]): Promise<Result<Name>> {
  if (!worker || worker.ended) {
    const url = import.meta.resolve("./backstageWorker.js");
    worker = new AskedWorker(browserPort(new Worker(url, { type: "module" })), "The thread behind the page");
  }
  return (await worker.ask({ task, given }, handed)) as Result<Name>;
}
