import { once } from "node:events";
import { type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import type { FarmProgress } from "./farmProgress.js";

/** Milliseconds between two progress reports. */
const statusInterval = 2000;

/** Milliseconds until what another machine has written must be visible on this one, and between two checks. */
const [maxVisibilityDelay, retryInterval] = [60_000, 500];

interface JobStatus {
  /** Number of running jobs by host. */
  running: Record<string, number>;
  /** Why no job is running, if there is no worker. */
  idle?: string;
}

/** Where jobs wait for workers. */
export interface JobQueue {
  /** Queues jobs, except those that are waiting or running. */
  put(jobs: FarmJob[]): Promise<void>;
  /**
   * Reports each job that ends from now on, in order.
   * @param onReconnect called when the queue may have lost its jobs
   * @param onRefusal called with the reason if it accepts no jobs
   */
  follow(
    onEnded: (id: string, result: FarmResult | Error) => void,
    onReconnect: () => void,
    onRefusal: (refusal: Error) => void,
  ): Promise<void>;
  /** @param isIncluded selects jobs by id */
  status(isIncluded: (id: string) => boolean): Promise<JobStatus>;
  /** Removes waiting jobs. */
  withdraw(ids: Iterable<string>): Promise<void>;
  /** Stops the workers of this command, and gives up on a queue that does not answer, now or later. */
  stop(): Promise<void>;
  /** Whether the queue was given up. */
  readonly isCut: boolean;
  close(): Promise<void>;
}

/**
 * Takes the result of a job.
 * @param index index of the job in the command
 * @returns false if the command ended before the run was visible
 */
type TakeResult = (index: number, job: FarmJob, result: FarmResult | Error) => Promise<boolean>;

/** The jobs of a command that have not ended. */
export class PendingJobs {
  readonly #pending = new Map<string, { index: number; job: FarmJob }>();
  /** Results are taken one after the other: resolves when those before are taken. */
  #turns = Promise.resolve();
  /** Aborts when the command stops queueing jobs. */
  readonly #over = new AbortController();
  /** After an error, results are ignored; `remaining` ignores those that come later. */
  #failure: { error: unknown } | undefined;
  #isClosed = false;

  /** @param countUnqueued returns the number of jobs that will be queued later; none if absent */
  constructor(
    readonly queue: JobQueue,
    readonly take: TakeResult,
    readonly progress?: FarmProgress,
    readonly countUnqueued: () => number = () => 0,
  ) {}

  /** Whether the command has stopped queueing jobs. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Queues jobs. Once the run is over, they are only listed as remaining. */
  async put(jobs: { index: number; job: FarmJob }[]): Promise<void> {
    for (const entry of jobs) this.#pending.set(idOf(entry.job), entry);
    if (!this.isOver) await this.queue.put(jobs.map(({ job }) => job));
  }

  get #left(): number {
    return this.#pending.size + this.countUnqueued();
  }

  async #takeResult(id: string, result: FarmResult | Error): Promise<void> {
    const pendingJob = this.#pending.get(id);
    if (!pendingJob || this.#failure || !(await this.take(pendingJob.index, pendingJob.job, result))) return;
    this.#pending.delete(id);
    if (this.#left === 0) this.#over.abort();
  }

  /**
   * Reads what a worker has written, as soon as this machine sees it: shared folders may show the files of other
   * machines with a delay.
   * @returns undefined if it is not visible within a minute, or before the command ends
   */
  async untilVisible<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
    for (const start = performance.now(); ; ) {
      const value = await read();
      if (value !== undefined || this.isOver || performance.now() - start > maxVisibilityDelay) return value;
      await new Promise((resolve) => setTimeout(resolve, retryInterval));
    }
  }

  /**
   * Queues the first jobs, and resolves when all jobs have ended or the signal aborts. Results are taken once the first
   * jobs are queued.
   */
  async run(queueFirst: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const stop = () => this.#over.abort();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    const statusTimer = setInterval(() => this.#showStatus(), statusInterval);
    try {
      this.#runInTurn(async () => {
        await this.queue.follow(
          (id, result) => this.#runInTurn(() => this.#takeResult(id, result)),
          () => this.#runInTurn(() => this.put([...this.#pending.values()])),
          this.#fail,
        );
        await queueFirst();
      });
      if (!this.isOver) await once(this.#over.signal, "abort");
      if (this.#failure) throw this.#failure.error;
    } finally {
      clearInterval(statusTimer);
      signal.removeEventListener("abort", stop);
      this.progress?.stop();
    }
  }

  async #showStatus(): Promise<void> {
    const nothing: JobStatus = { running: {} };
    const { running, idle } = await this.queue.status((id) => this.#pending.has(id)).catch(() => nothing);
    this.progress?.show(this.#left, running, idle);
  }

  /** Runs work after the work before it, unless `remaining` was called. */
  #runInTurn(work: () => Promise<void>): void {
    if (!this.#isClosed) this.#turns = this.#turns.then(work).catch(this.#fail);
  }

  /** Ends the command with an error. */
  readonly #fail = (error: unknown): void => {
    this.#failure ??= { error };
    this.#over.abort();
  };

  /** Removes waiting jobs from the queue, after the current result has been taken. */
  async withdraw(): Promise<void> {
    this.#over.abort();
    await this.#turns;
    await this.queue.withdraw(this.#pending.keys());
  }

  /** Returns the remaining jobs after the current result has been taken, and ignores later results. */
  async remaining(): Promise<{ index: number }[]> {
    this.#isClosed = true;
    await this.#turns;
    return [...this.#pending.values()];
  }
}
