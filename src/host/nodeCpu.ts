import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { cpuBackendWith } from "../engine/cpu/pipeline.js";
import type { Backend } from "../engine/pipeline.js";
import type { WorkerPort } from "./askedWorker.js";
import { WorkerCrew, workersFor } from "./workerCrew.js";

/** The CPU engine in worker threads, which start with the first job. */
export function nodeCpu(workers = workersFor(availableParallelism())): Backend {
  return cpuBackendWith(new WorkerCrew(startWorker, workers));
}

/** A thread that computes parts. Node ends without waiting for it, unless answers are awaited. */
export function startWorker(): WorkerPort {
  const worker = new Worker(new URL("./nodePartWorker.mjs", import.meta.url));
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(hear, end) {
      worker.on("message", (message) => hear(message as never));
      worker.on("error", ({ message }) => end(message.replace(/\.$/, "")));
      worker.on("exit", (code) => end(`its worker ended with exit code ${code}`));
    },
    terminate: () => void worker.terminate(),
    keepAlive: (awaited) => (awaited ? worker.ref() : worker.unref()),
  };
}
