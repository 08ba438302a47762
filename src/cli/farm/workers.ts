import { availableParallelism, hostname } from "node:os";
import { Worker } from "bullmq";
import type { Redis } from "ioredis";
import { Failure } from "../failure.js";
import { adapterEnvironments } from "./adapters.js";
import { codeVersion, type FarmJob, type FarmResult } from "./farmJob.js";
import { queueName } from "./queue.js";

/** Milliseconds that a worker may be silent until its job is another's, and between two looks for such jobs. */
const [silence, looksEvery] = [20_000, 10_000];

/** How often a job may lose its worker. What ends every process that it is given to has to end some day. */
const mostLost = 5;

/** What workers are told, and what they tell. */
interface WorkerOptions {
  /** Where runs are kept, as `openStore` takes it. */
  runs: string;
  count: number;
  onEnd?: (job: FarmJob, trouble?: string) => void;
  /** Why they cannot go on. */
  onRefusal: (refusal: Failure) => void;
}

/**
 * Starts workers, each with a process of its own that trains, on an adapter of its own where there are several.
 * @returns lets them keep what they have, gives their jobs back, and ends them
 */
export function startWorkers(redis: Redis, { runs, count, onEnd, onRefusal }: WorkerOptions): () => Promise<void> {
  const adapters = adapterEnvironments();
  const threads = Math.max(1, Math.floor(availableParallelism() / count));
  const workers = Array.from({ length: count }, (_, i) => {
    const told = { SPLATBOOK_RUNS: runs, SPLATBOOK_THREADS: String(threads) };
    const env = { ...process.env, ...adapters[i % Math.max(1, adapters.length)], ...told };
    const worker = new Worker<FarmJob, FarmResult>(queueName, new URL("./trainer.mjs", import.meta.url), {
      connection: redis,
      name: hostname(),
      lockDuration: silence,
      stalledInterval: looksEvery,
      maxStalledCount: mostLost,
      runRetryDelay: 1000,
      workerForkOptions: { env, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] },
    });
    // A lost connection is waited for, and a lost lock is another worker's.
    worker.on("error", () => {});
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) worker.cancelJob(id);
    });
    worker.on("completed", (job) => onEnd?.(job.data));
    worker.on("failed", (job, error) => job && onEnd?.(job.data, error.message));
    worker.on("progress", (_, progress) => {
      const { otherVersion } = progress as { otherVersion: string };
      const needed = `its jobs are of splatbook ${otherVersion}, and this is ${codeVersion()}`;
      void worker.close();
      onRefusal(new Failure(`This worker cannot work for that Redis: ${needed}.`, 2));
    });
    return worker;
  });
  return async () => {
    for (const worker of workers) worker.cancelAllJobs();
    await Promise.all(workers.map((worker) => worker.close()));
  };
}
