import { availableParallelism, hostname } from "node:os";
import { type Job, type JobJson, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { toSingleLine } from "../engine/quoted.js";
import { WorkerClient } from "../host/workerClient.js";
import { confinement } from "./confinement.js";
import { codeVersion, type FarmJob, type FarmResult, readJob } from "./farmJob.js";
import { queueName } from "./queue.js";
import { refusalOf } from "./redis.js";
import type { TrainerRequest } from "./trainer.js";
import { trainerPort } from "./trainerPort.js";

/** Milliseconds after which the job of a silent worker is given to another. */
const defaultLockTimeout = 20_000;

/** How often a job may lose its worker or trainer before it fails. */
const maxLostAttempts = 5;

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
  const { commandPrefixes = [[]], warning } = count > 1 ? confinement() : {};
  if (warning !== undefined) onWarning?.(warning);
  const trainerEnvironment = {
    SPLATBOOK_RUNS: runs,
    SPLATBOOK_THREADS: String(Math.max(1, Math.floor(availableParallelism() / count))),
  };
  let lastRefusal = "";
  const onError = (error: Error) => {
    const { message = "" } = refusalOf(error) ?? {};
    if (message !== "" && message !== lastRefusal) onRefusal?.(message);
    lastRefusal = message || lastRefusal;
  };
  const stopFunctions = Array.from({ length: count }, (_, i) => {
    const openPort = () => trainerPort(trainerEnvironment, commandPrefixes[i % commandPrefixes.length]);
    const startTrainer = () => new WorkerClient<TrainerRequest, FarmResult | undefined>(openPort(), "The trainer");
    // It is started before the first job, since this takes a while.
    let trainer = startTrainer();
    const worker = new JobWorker(
      queueName(codeVersion()),
      async (job, token, signal) => {
        if (trainer.ended) trainer = startTrainer();
        const request = { id: job.id!, token: token!, job: readableJob(job.id, job.data) };
        const result = await trainer.ask(request, [], signal).catch((error) => {
          // If the process ended, the job is tried again.
          if (!trainer.ended || job.attemptsStarted >= maxLostAttempts) throw error;
        });
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
      trainer.end(new Error("The worker has ended."));
    };
  });
  return async () => {
    await Promise.all(stopFunctions.map((stop) => stop()));
  };
}

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

/**
 * Returns a validated job.
 * @throws UnrecoverableError if it is invalid, since retries cannot help
 */
function readableJob(id: string | undefined, data: unknown): FarmJob {
  try {
    return readJob(id, data);
  } catch (error) {
    throw new UnrecoverableError((error as Error).message);
  }
}
