import { type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import type { FarmProgress } from "./farmProgress.js";
import type { JobQueue } from "./queue.js";

/** Milliseconds between two looks at who is running. */
const statusInterval = 2000;

/** Milliseconds that what a worker has committed may take to be seen here, and between two looks for it. */
const [maxVisibilityDelay, retryInterval] = [60_000, 500];

/**
 * Takes what came of a job, at its place among the command's.
 * @param isLate whether what a worker has committed is waited for no longer
 * @returns whether it was there: a folder that machines share may show what others wrote a while later
 */
type TakeResult = (place: number, job: FarmJob, result: FarmResult | Error, isOverdue: boolean) => Promise<boolean>;

/** A command's jobs that workers have not ended yet. */
export class PendingJobs {
  /** By their ids. */
  readonly #pending = new Map<string, { place: number; job: FarmJob }>();
  /** What ended is taken in this order. */
  #taking = Promise.resolve();
  #settle!: { resolve: () => void; reject: (error: unknown) => void };
  readonly #over = new Promise<void>((resolve, reject) => {
    this.#settle = { resolve, reject };
  });
  #isOver = false;
  #hasFailed = false;
  #isClosed = false;

  /** @param countUnqueued how many jobs are yet to be put; none if absent */
  constructor(
    readonly queue: JobQueue,
    readonly take: TakeResult,
    readonly progress?: FarmProgress,
    readonly countUnqueued: () => number = () => 0,
  ) {
    // What fails before it is waited for is told there.
    this.#over.catch(() => {});
  }

  /** Whether nothing more is to be put. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Puts jobs; once all is over they are only known as left. */
  put(jobs: { place: number; job: FarmJob }[]): Promise<void> {
    for (const entry of jobs) this.#pending.set(idOf(entry.job), entry);
    return this.#put(jobs);
  }

  async #put(jobs: { job: FarmJob }[]): Promise<void> {
    if (!this.#isOver) await this.queue.put(jobs.map(({ job }) => job)).catch((error) => this.fail(error));
  }

  get #left(): number {
    return this.#pending.size + this.countUnqueued();
  }

  async #end(id: string, result: FarmResult | Error, endedAt = performance.now()): Promise<void> {
    const pendingJob = this.#pending.get(id);
    if (!pendingJob || this.#hasFailed) return;
    const isOverdue = performance.now() - endedAt > maxVisibilityDelay;
    if (!(await this.take(pendingJob.place, pendingJob.job, result, isOverdue))) {
      // Others are taken meanwhile.
      setTimeout(() => this.#next(() => this.#end(id, result, endedAt)), retryInterval);
      return;
    }
    this.#pending.delete(id);
    if (this.#left === 0) this.#stop();
  }

  /**
   * Puts the first jobs, and resolves when all have ended, or the signal comes. What ends is taken once the first are put.
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
      this.fail(error);
      throw error;
    } finally {
      clearInterval(statusTimer);
      signal.removeEventListener("abort", stop);
      this.progress?.stop();
    }
  }

  async #begin(queueFirst: () => Promise<void>): Promise<void> {
    let markQueued!: () => void;
    this.#taking = new Promise((resolve) => {
      markQueued = resolve;
    });
    try {
      await this.queue.follow(
        (id, result) => this.#next(() => this.#end(id, result)),
        () => this.#next(() => this.#put([...this.#pending.values()])),
        (refusal) => this.fail(refusal),
      );
      await queueFirst();
    } finally {
      markQueued();
    }
  }

  /** Does something when what came before is done, unless nothing more is to be taken. */
  #next(work: () => Promise<void>): void {
    if (!this.#isClosed) this.#taking = this.#taking.then(work).catch((error) => this.fail(error));
  }

  #stop(): void {
    this.#isOver = true;
    this.#settle.resolve();
  }

  /** What makes the command end in failure: nothing more is taken. */
  fail(error: unknown): void {
    this.#isOver = true;
    this.#hasFailed = true;
    this.#settle.reject(error);
  }

  /** Takes back what nobody has begun, when what is being taken has put no more. */
  async withdraw(): Promise<void> {
    this.#isOver = true;
    await this.#taking;
    await this.queue.withdraw(this.#pending.keys());
  }

  /** What is left when the last one that ended is taken. None is taken after it. */
  async remaining(): Promise<{ id: string; place: number }[]> {
    this.#isClosed = true;
    await this.#taking;
    return Array.from(this.#pending, ([id, { place }]) => ({ id, place }));
  }
}
