import { availableParallelism } from "node:os";
import { cpuBackendWith } from "../../engine/cpu/pipeline.js";
import type { Backend } from "../../engine/pipeline.js";
import type { WorkerPort } from "../workerClient.js";
import { WorkerPool, workersFor } from "../workerPool.js";
import { nodePort } from "./port.js";

const pools = new Map<number, WorkerPool>();

/** The CPU engine in worker threads, which start with the first job and serve every later one of this process. */
export function nodeCpu(workers = workersFor(availableParallelism())): Backend {
  const pool = pools.get(workers) ?? new WorkerPool(startWorker, workers);
  pools.set(workers, pool);
  return cpuBackendWith(pool);
}

/** A thread that computes parts. */
export function startWorker(): WorkerPort {
  return nodePort("./partWorker.mjs");
}
