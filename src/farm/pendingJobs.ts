import { once } from "node:events";
import { type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import type { FarmProgress } from "./farmProgress.js";
import type { JobQueue } from "./queue.js";

/** Milliseconds between two progress reports. */
const statusInterval = 2000;

/** Milliseconds until a committed run must be visible on this machine, and between two checks. */
const [maxVisibilityDelay, retryInterval] = [60_000, 500];

/**
 * Takes the result of a job.
 * @param index index of the job in the command
 * @param isOverdue whether a run that is not visible counts as lost
 * @returns false if the run is not visible yet, since shared folders may show files of other machines with a delay
 */
type TakeResult = (index: number, job: FarmJob, result: FarmResult | Error, isOverdue: boolean) => Promise<boolean>;

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
  put(jobs: { index: number; job: FarmJob }[]): Promise<void> {
    for (const entry of jobs) this.#pending.set(idOf(entry.job), entry);
    return this.#put(jobs);
  }

  async #put(jobs: { job: FarmJob }[]): Promise<void> {
    if (!this.isOver) await this.queue.put(jobs.map(({ job }) => job)).catch(this.#fail);
  }

  get #left(): number {
    return this.#pending.size + this.countUnqueued();
  }

  async #takeResult(id: string, result: FarmResult | Error, endedAt = performance.now()): Promise<void> {
    const pendingJob = this.#pending.get(id);
    if (!pendingJob || this.#failure) return;
    const isOverdue = performance.now() - endedAt > maxVisibilityDelay;
    if (!(await this.take(pendingJob.index, pendingJob.job, result, isOverdue))) {
      // Other results are taken before the next check.
      setTimeout(() => this.#runInTurn(() => this.#takeResult(id, result, endedAt)), retryInterval);
      return;
    }
    this.#pending.delete(id);
    if (this.#left === 0) this.#over.abort();
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
      await this.#begin(queueFirst).catch(this.#fail);
      if (!this.isOver) await once(this.#over.signal, "abort");
      if (this.#failure) throw this.#failure.error;
    } finally {
      clearInterval(statusTimer);
      signal.removeEventListener("abort", stop);
      this.progress?.stop();
    }
  }

  async #showStatus(): Promise<void> {
    const hosts = await this.queue.running((id) => this.#pending.has(id)).catch(() => ({}));
    const workers = await this.queue.workers().catch(() => undefined);
    const idle = workers === 0 ? `no worker of splatbook ${this.queue.version} is connected` : undefined;
    this.progress?.show(this.#left, hosts, idle);
  }

  async #begin(queueFirst: () => Promise<void>): Promise<void> {
    let markQueued!: () => void;
    this.#turns = new Promise((resolve) => {
      markQueued = resolve;
    });
    try {
      await this.queue.follow(
        (id, result) => this.#runInTurn(() => this.#takeResult(id, result)),
        () => this.#runInTurn(() => this.#put([...this.#pending.values()])),
        this.#fail,
      );
      await queueFirst();
    } finally {
      markQueued();
    }
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
  async remaining(): Promise<{ id: string; index: number }[]> {
    this.#isClosed = true;
    await this.#turns;
    return Array.from(this.#pending, ([id, { index }]) => ({ id, index }));
  }
}
