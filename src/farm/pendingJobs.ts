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
  #settle!: { resolve: () => void; reject: (error: unknown) => void };
  readonly #over = new Promise<void>((resolve, reject) => {
    this.#settle = { resolve, reject };
  });
  #isOver = false;
  /** Whether results are ignored: all after an error, and those that come after `remaining`. */
  #hasFailed = false;
  #isClosed = false;

  /** @param countUnqueued returns the number of jobs that will be queued later; none if absent */
  constructor(
    readonly queue: JobQueue,
    readonly take: TakeResult,
    readonly progress?: FarmProgress,
    readonly countUnqueued: () => number = () => 0,
  ) {
    // `run` reports the error.
    this.#over.catch(() => {});
  }

  /** Whether the command has stopped queueing jobs. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Queues jobs. Once the run is over, they are only listed as remaining. */
  put(jobs: { index: number; job: FarmJob }[]): Promise<void> {
    for (const entry of jobs) this.#pending.set(idOf(entry.job), entry);
    return this.#put(jobs);
  }

  async #put(jobs: { job: FarmJob }[]): Promise<void> {
    if (!this.#isOver) await this.queue.put(jobs.map(({ job }) => job)).catch((error) => this.#fail(error));
  }

  get #left(): number {
    return this.#pending.size + this.countUnqueued();
  }

  async #takeResult(id: string, result: FarmResult | Error, endedAt = performance.now()): Promise<void> {
    const pendingJob = this.#pending.get(id);
    if (!pendingJob || this.#hasFailed) return;
    const isOverdue = performance.now() - endedAt > maxVisibilityDelay;
    if (!(await this.take(pendingJob.index, pendingJob.job, result, isOverdue))) {
      // Other results are taken before the next check.
      setTimeout(() => this.#runInTurn(() => this.#takeResult(id, result, endedAt)), retryInterval);
      return;
    }
    this.#pending.delete(id);
    if (this.#left === 0) this.#stop();
  }

  /**
   * Queues the first jobs, and resolves when all jobs have ended or the signal aborts. Results are taken once the first
   * jobs are queued.
   */
  async run(queueFirst: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const stop = () => this.#stop();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    const statusTimer = setInterval(async () => {
      const hosts = await this.queue.running((id) => this.#pending.has(id)).catch(() => ({}));
      const workers = await this.queue.workers().catch(() => undefined);
      const { version } = this.queue;
      const idle = workers === 0 ? `no worker of splatbook ${version} is connected` : undefined;
      this.progress?.show(this.#left, hosts, idle);
    }, statusInterval);
    try {
      await this.#begin(queueFirst);
      await this.#over;
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      clearInterval(statusTimer);
      signal.removeEventListener("abort", stop);
      this.progress?.stop();
    }
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
        (refusal) => this.#fail(refusal),
      );
      await queueFirst();
    } finally {
      markQueued();
    }
  }

  /** Runs work after the work before it, unless `remaining` was called. */
  #runInTurn(work: () => Promise<void>): void {
    if (!this.#isClosed) this.#turns = this.#turns.then(work).catch((error) => this.#fail(error));
  }

  #stop(): void {
    this.#isOver = true;
    this.#settle.resolve();
  }

  /** Ends the command with an error, and ignores later results. */
  #fail(error: unknown): void {
    this.#isOver = true;
    this.#hasFailed = true;
    this.#settle.reject(error);
  }

  /** Removes waiting jobs from the queue, after the current result has been taken. */
  async withdraw(): Promise<void> {
    this.#isOver = true;
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
