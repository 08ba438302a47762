import { availableParallelism } from "node:os";
import { cpuBackendWith } from "../../engine/cpu/pipeline.js";
import type { Backend } from "../../engine/pipeline.js";
import { workersFor } from "../poolSize.js";
import { WorkerPool } from "../workerPool.js";
import { nodePort } from "./port.js";

const pools = new Map<number, WorkerPool>();

/**
 * Returns the CPU engine in worker threads, which start with the first job and are shared by all jobs of this process.
 */
export function nodeCpu(workers = workersFor(availableParallelism())): Backend {
  const pool = pools.get(workers) ?? new WorkerPool(startWorker, workers);
  pools.set(workers, pool);
  return cpuBackendWith(pool);
}

/** Starts a thread of the CPU engine. */
export const startWorker = () => nodePort("host/node/taskThread");
