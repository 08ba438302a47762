import { availableParallelism, hostname } from "node:os";
import { type Job, type JobJson, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { toSingleLine } from "../engine/quoted.js";
import { WorkerClient } from "../host/workerClient.js";
import { confinement } from "./adapters.js";
import { codeVersion, type FarmJob, type FarmResult, readJob } from "./farmJob.js";
import { queueName } from "./queue.js";
import { refusalOf } from "./redis.js";
import type { TrainerRequest } from "./trainer.js";
import { trainerPort } from "./trainerPort.js";

/** Milliseconds that a worker may be silent until its job is another's; twice in them it is looked for such jobs. */
const defaultLockTimeout = 20_000;

/** How often a job may lose its worker or trainer. What ends every process that it is given to has to end some day. */
const maxLostAttempts = 5;

export interface WorkerOptions {
  /** Where runs are kept, as `openStore` takes it. */
  runs: string;
  count: number;
  /** Milliseconds. */
  lockTimeout?: number;
  /** @param run what the job is called */
  onEnd?: (run: string, trouble?: string) => void;
  /** Why they train more slowly than they might. */
  onTrouble?: (trouble: string) => void;
  /** Why Redis does not let them work. They try again. */
  onRefusal?: (refusal: string) => void;
}

/**
 * Starts workers, each with a process of its own that trains, on an adapter of its own where there are several.
 * @returns lets them keep what they have, gives their jobs back, and ends them
 */
export function startWorkers(redis: Redis, options: WorkerOptions): () => Promise<void> {
  const { runs, count, lockTimeout = defaultLockTimeout, onEnd, onTrouble, onRefusal } = options;
  const { commandPrefixes: before = [[]], trouble } = count > 1 ? confinement() : {};
  if (trouble !== undefined) onTrouble?.(trouble);
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
    const openPort = () => trainerPort(trainerEnvironment, before[i % before.length]);
    const startTrainer = () => new WorkerClient<TrainerRequest, FarmResult | undefined>(openPort(), "The trainer");
    // Its start takes a while.
    let trainer = startTrainer();
    const worker = new JobWorker(
      queueName(codeVersion()),
      async (job, token, signal) => {
        const returnJob = async () => {
          await job.moveToWait(token);
          return new WaitingError();
        };
        if (trainer.ended) trainer = startTrainer();
        const request = { id: job.id!, token: token!, job: readableJob(job.id, job.data) };
        const result = await trainer.ask(request, [], signal).catch((error) => {
          // What ended with its process has not failed by itself yet.
          if (!trainer.ended || job.attemptsStarted >= maxLostAttempts) throw error;
        });
        if (!result) throw await returnJob();
        return result;
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
    // A lost connection is waited for, and a lost lock is another worker's; what is refused is said once.
    worker.on("error", onError);
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) worker.cancelJob(id);
    });
    worker.on("completed", () => {
      lastRefusal = "";
    });
    worker.on("completed", (job) => onEnd?.(jobName(job)));
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

/** What a job is called, also one that cannot be read. */
const jobName = ({ id, data }: Job<Partial<FarmJob> | null>) =>
  typeof data?.run === "string" ? toSingleLine(data.run) : `job ${toSingleLine(String(id))}`;

/** Of a job that is not even JSON the worker is given the text, which it refuses; BullMQ would look at it for ever. */
class JobWorker extends Worker<FarmJob, FarmResult> {
  protected override createJob(raw: JobJson, id: string) {
    try {
      return super.createJob(raw, id);
    } catch {
      return super.createJob({ ...raw, data: JSON.stringify(raw.data) }, id);
    }
  }
}

/** A job that can be done; what cannot be read now will not be later. */
function readableJob(id: string | undefined, data: unknown): FarmJob {
  try {
    return readJob(id, data);
  } catch (error) {
    throw new UnrecoverableError((error as Error).message);
  }
}
