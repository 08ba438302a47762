import { availableParallelism } from "node:os";
import { cpuBackendWith } from "../../engine/cpu/pipeline.js";
import type { Backend } from "../../engine/pipeline.js";
import type { WorkerPort } from "../askedWorker.js";
import { WorkerCrew, workersFor } from "../workerCrew.js";
import { nodePort } from "./port.js";

const crews = new Map<number, WorkerCrew>();

/** The CPU engine in worker threads, which start with the first job and serve every later one of this process. */
export function nodeCpu(workers = workersFor(availableParallelism())): Backend {
  const crew = crews.get(workers) ?? new WorkerCrew(startWorker, workers);
  crews.set(workers, crew);
  return cpuBackendWith(crew);
}

/** A thread that computes parts. */
export function startWorker(): WorkerPort {
  return nodePort("./partWorker.mjs");
}
