import { hostname } from "node:os";
import { type Job, type JobJson, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { mustBe, toSingleLine } from "../engine/quoted.js";
import { type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import { refusalOf } from "./redis.js";
import { queueName } from "./redisQueue.js";
import { maxLostAttempts, startTrainers } from "./trainers.js";

/** Milliseconds after which the job of a silent worker is given to another. */
const defaultLockTimeout = 20_000;

export interface WorkerOptions {
  /** Folder of the store. */
  runs: string;
  count: number;
  /** Milliseconds. */
  lockTimeout?: number;
  /** Called when a job ends, with the reason if it failed. */
  onEnd?: (run: string, failure?: string) => void;
  /** Called with the reason if workers have to share a GPU. */
  onWarning?: (warning: string) => void;
  /** Called with the reason if Redis refuses a command. Workers try again. */
  onRefusal?: (refusal: string) => void;
}

/**
 * Starts workers, each with its own training process and, if there are several GPUs, its own GPU.
 * @returns a function that saves their runs, returns their jobs to the queue, and ends them
 */
export function startWorkers(redis: Redis, options: WorkerOptions): () => Promise<void> {
  const { runs, count, lockTimeout = defaultLockTimeout, onEnd, onWarning, onRefusal } = options;
  let lastRefusal = "";
  const onError = (error: Error) => {
    const { message = "" } = refusalOf(error) ?? {};
    if (message !== "" && message !== lastRefusal) onRefusal?.(message);
    lastRefusal = message || lastRefusal;
  };
  const stopFunctions = startTrainers(runs, count, onWarning).map((trainer) => {
    const worker = new JobWorker(
      queueName(),
      async (job, token, signal) => {
        // Retries cannot help.
        if (job.id !== idOf(job.data)) throw new UnrecoverableError(invalidMessage(job.id));
        const request = { id: job.id, token: token!, job: job.data };
        const result = await trainer.train(request, job.attemptsStarted, signal!);
        if (result) return result;
        await job.moveToWait(token);
        throw new WaitingError();
      },
      {
        connection: redis,
        name: hostname(),
        lockDuration: lockTimeout,
        stalledInterval: lockTimeout / 2,
        maxStalledCount: maxLostAttempts,
        runRetryDelay: 1000,
      },
    );
    // Lost connections and locks need no report; a refusal is reported once.
    worker.on("error", onError);
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) worker.cancelJob(id);
    });
    worker.on("completed", (job) => {
      lastRefusal = "";
      onEnd?.(jobName(job));
    });
    worker.on("failed", (job, error) => job && onEnd?.(jobName(job), error.message));
    return async () => {
      worker.cancelAllJobs();
      await worker.close();
      trainer.end();
    };
  });
  return async () => {
    await Promise.all(stopFunctions.map((stop) => stop()));
  };
}

const invalidMessage = (id: unknown) => `This job is invalid: its ${mustBe("id", "the hash of its contents", id)}`;

/** Returns the name of a job, which may be invalid. */
const jobName = ({ id, data }: Job<Partial<FarmJob> | null>) =>
  typeof data?.run === "string" ? toSingleLine(data.run) : `job ${toSingleLine(String(id))}`;

/**
 * A worker that gets the text of a job that is not JSON, and rejects it. BullMQ's own would retry such a job forever.
 */
class JobWorker extends Worker<FarmJob, FarmResult> {
  protected override createJob(raw: JobJson, id: string) {
    try {
      return super.createJob(raw, id);
    } catch {
      return super.createJob({ ...raw, data: JSON.stringify(raw.data) }, id);
    }
  }
}
