import { availableParallelism, hostname } from "node:os";
import { WaitingError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { AskedWorker } from "../../host/askedWorker.js";
import { Failure } from "../failure.js";
import { confinement } from "./adapters.js";
import { codeVersion, type FarmJob, type FarmResult } from "./farmJob.js";
import { queueName } from "./queue.js";
import type { TrainerQuestion } from "./trainer.js";
import { trainerPort } from "./trainerPort.js";

/** Milliseconds that a worker may be silent until its job is another's; twice in them it is looked for such jobs. */
const longestSilence = 20_000;

/** How often a job may lose its worker or trainer. What ends every process that it is given to has to end some day. */
const mostLost = 5;

export interface WorkerOptions {
  /** Where runs are kept, as `openStore` takes it. */
  runs: string;
  count: number;
  /** Milliseconds. */
  silence?: number;
  onEnd?: (job: FarmJob, trouble?: string) => void;
  /** Why they train more slowly than they might. */
  onTrouble?: (trouble: string) => void;
  /** Why they cannot go on. */
  onRefusal: (refusal: Failure) => void;
}

/**
 * Starts workers, each with a process of its own that trains, on an adapter of its own where there are several.
 * @returns lets them keep what they have, gives their jobs back, and ends them
 */
export function startWorkers(redis: Redis, options: WorkerOptions): () => Promise<void> {
  const { runs, count, silence = longestSilence, onEnd, onTrouble, onRefusal } = options;
  const version = codeVersion();
  const { before = [[]], trouble } = count > 1 ? confinement() : {};
  if (trouble !== undefined) onTrouble?.(trouble);
  const told = {
    SPLATBOOK_RUNS: runs,
    SPLATBOOK_THREADS: String(Math.max(1, Math.floor(availableParallelism() / count))),
  };
  const ends = Array.from({ length: count }, (_, i) => {
    const port = () => trainerPort(told, before[i % before.length]);
    const start = () => new AskedWorker<TrainerQuestion, FarmResult | undefined>(port(), "The trainer");
    // Its start takes a while.
    let trainer = start();
    const worker = new Worker<FarmJob, FarmResult>(
      queueName,
      async (job, token, signal) => {
        const putBack = async () => {
          await job.moveToWait(token);
          return new WaitingError();
        };
        if (job.data.version !== version) {
          void worker.close();
          const why = `its jobs are of splatbook ${job.data.version}, and this is ${version}`;
          onRefusal(new Failure(`This worker cannot work for that Redis: ${why}.`, 2));
          throw await putBack();
        }
        if (trainer.ended) trainer = start();
        const question = { id: job.id!, token: token!, job: job.data };
        const result = await trainer.ask(question, [], signal).catch((error) => {
          // What ended with its process has not failed by itself yet.
          if (!trainer.ended || job.attemptsStarted >= mostLost) throw error;
        });
        if (!result) throw await putBack();
        return result;
      },
      {
        connection: redis,
        name: hostname(),
        lockDuration: silence,
        stalledInterval: silence / 2,
        maxStalledCount: mostLost,
        runRetryDelay: 1000,
      },
    );
    // A lost connection is waited for, and a lost lock is another worker's.
    worker.on("error", () => {});
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) worker.cancelJob(id);
    });
    worker.on("completed", (job) => onEnd?.(job.data));
    worker.on("failed", (job, error) => job && onEnd?.(job.data, error.message));
    return async () => {
      worker.cancelAllJobs();
      await worker.close();
      trainer.end(new Error("The worker has ended."));
    };
  });
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}
