import { availableParallelism } from "node:os";
import { cpuBackendWith } from "../engine/cpu/pipeline.js";
import type { Backend } from "../engine/pipeline.js";
import type { WorkerPort } from "./askedWorker.js";
import { nodePort } from "./nodePort.js";
import { WorkerCrew, workersFor } from "./workerCrew.js";

/** The CPU engine in worker threads, which start with the first job. */
export function nodeCpu(workers = workersFor(availableParallelism())): Backend {
  return cpuBackendWith(new WorkerCrew(startWorker, workers));
}

/** A thread that computes parts. */
export function startWorker(): WorkerPort {
  return nodePort("./nodePartWorker.mjs");
}
