import { availableParallelism, hostname } from "node:os";
import { type Job, type JobJson, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { inLine } from "../engine/quoted.js";
import { AskedWorker } from "../host/askedWorker.js";
import { confinement } from "./adapters.js";
import { codeVersion, type FarmJob, type FarmResult, readJob } from "./farmJob.js";
import { queueOf } from "./queue.js";
import { refusalOf } from "./redis.js";
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
  const { runs, count, silence = longestSilence, onEnd, onTrouble, onRefusal } = options;
  const { before = [[]], trouble } = count > 1 ? confinement() : {};
  if (trouble !== undefined) onTrouble?.(trouble);
  const told = {
    SPLATBOOK_RUNS: runs,
    SPLATBOOK_THREADS: String(Math.max(1, Math.floor(availableParallelism() / count))),
  };
  let refused = "";
  const hear = (error: Error) => {
    const { message = "" } = refusalOf(error) ?? {};
    if (message !== "" && message !== refused) onRefusal?.(message);
    refused = message || refused;
  };
  const ends = Array.from({ length: count }, (_, i) => {
    const port = () => trainerPort(told, before[i % before.length]);
    const start = () => new AskedWorker<TrainerQuestion, FarmResult | undefined>(port(), "The trainer");
    // Its start takes a while.
    let trainer = start();
    const worker = new JobWorker(
      queueOf(codeVersion()),
      async (job, token, signal) => {
        const putBack = async () => {
          await job.moveToWait(token);
          return new WaitingError();
        };
        if (trainer.ended) trainer = start();
        const question = { id: job.id!, token: token!, job: readable(job.id, job.data) };
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
    // A lost connection is waited for, and a lost lock is another worker's; what is refused is said once.
    worker.on("error", hear);
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) worker.cancelJob(id);
    });
    worker.on("completed", () => {
      refused = "";
    });
    worker.on("completed", (job) => onEnd?.(nameOf(job)));
    worker.on("failed", (job, error) => job && onEnd?.(nameOf(job), error.message));
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

/** What a job is called, also one that cannot be read. */
const nameOf = ({ id, data }: Job<Partial<FarmJob> | null>) =>
  typeof data?.run === "string" ? inLine(data.run) : `job ${inLine(String(id))}`;

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
function readable(id: string | undefined, data: unknown): FarmJob {
  try {
    return readJob(id, data);
  } catch (error) {
    throw new UnrecoverableError((error as Error).message);
  }
}
