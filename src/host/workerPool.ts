import type { Kernel } from "../engine/cpu/kernel.js";
import {
  CallingThread,
  type ReleaseRequest,
  type TaskKind,
  type TaskPool,
  type TaskReply,
  type TaskRequest,
  type TaskResult,
} from "../engine/cpu/taskPool.js";
import { poolDescription } from "./poolSize.js";
import { WorkerClient, type WorkerPort } from "./workerClient.js";

/** A request to a worker of the pool. */
export type PoolRequest = TaskRequest | ReleaseRequest;

type PoolWorker = WorkerClient<PoolRequest, TaskReply | undefined>;

/** Requests that are queued at each worker, so that it never idles. */
const queuedPerWorker = 1;

/** Milliseconds of work that are faster in this thread than in a worker. */
const sendMilliseconds = 0.5;

/** Milliseconds of work per worker that fit into one request each. */
const requestMilliseconds = 2;

/** Milliseconds of work before workers are started. */
const startMilliseconds = 150;

/** A pool of workers, which start once there is enough work. */
export class WorkerPool implements TaskPool {
  readonly description: string;
  readonly #start: () => WorkerPort;
  readonly #count: number;
  /** Remaining milliseconds of work before workers start. */
  #warmUpLeft: number;
  readonly #workers = new Map<number, PoolWorker>();
  /** Version of each kernel that a worker has. */
  readonly #versions = new WeakMap<PoolWorker, Map<number, number>>();
  /** Duration of the last run of all tasks of a kernel. */
  readonly #milliseconds = { differentiate: new WeakMap<Kernel, number>(), draw: new WeakMap<Kernel, number>() };
  readonly #ownThread = new CallingThread();

  /**
   * @param start starts a worker that answers as `TaskWorker`
   * @param workers number of workers
   * @param warmUp milliseconds of work before they start
   */
  constructor(start: () => WorkerPort, workers: number, warmUp = startMilliseconds) {
    this.#warmUpLeft = warmUp;
    this.description = poolDescription(workers);
    this.#start = start;
    this.#count = workers;
  }

  /** @throws Error of one sentence if a worker fails; a worker that has ended is replaced on its next use */
  async run<Name extends TaskKind>(
    kind: Name,
    kernel: Kernel,
    onResult: (result: TaskResult<Name>, taskIndex: number) => void,
    isStopped: () => boolean,
  ): Promise<boolean> {
    const { taskCount } = kernel;
    const durations = this.#milliseconds[kind];
    const expected = durations.get(kernel) ?? Number.POSITIVE_INFINITY;
    // Little work, or a single task, is faster in this thread.
    if (taskCount === 1 || expected < sendMilliseconds) {
      const start = performance.now();
      const isDone = await this.#ownThread.run(kind, kernel, onResult, isStopped);
      durations.set(kernel, performance.now() - start);
      return isDone;
    }
    let nextTask = 0;
    while (this.#warmUpLeft > 0 && nextTask < taskCount) {
      const start = performance.now();
      if (!(await this.#ownThread.run(kind, kernel, onResult, isStopped, nextTask, ++nextTask))) return false;
      this.#warmUpLeft -= performance.now() - start;
    }
    const isShort = expected < requestMilliseconds * this.#count;
    const lanes = isShort ? this.#count : (1 + queuedPerWorker) * this.#count;
    const alone = nextTask;
    let nextResult = nextTask;
    let milliseconds = 0;
    const pendingResults = new Map<number, TaskResult<Name>>();
    let failed = false;
    const runLane = async (worker: number) => {
      while (!failed && !isStopped() && nextTask < taskCount) {
        const first = nextTask;
        // The requests become smaller, so that all workers finish together.
        nextTask += Math.ceil(isShort ? (taskCount - alone) / lanes : (taskCount - first) / lanes);
        nextTask = Math.min(nextTask, taskCount);
        const answer = await this.#ask(worker, kind, kernel, first, nextTask);
        milliseconds += answer.milliseconds;
        for (const [k, result] of answer.results.entries()) pendingResults.set(first + k, result as TaskResult<Name>);
        for (; pendingResults.has(nextResult); pendingResults.delete(nextResult++))
          onResult(pendingResults.get(nextResult)!, nextResult);
      }
    };
    const laneRuns = Array.from({ length: lanes }, async (_, lane) => {
      try {
        await runLane(lane % this.#count);
      } catch (error) {
        failed = true;
        throw error;
      }
    });
    // No lane may still be running when this function ends.
    for (const result of await Promise.allSettled(laneRuns)) if (result.status === "rejected") throw result.reason;
    if (nextResult < taskCount) return false;
    if (alone === 0) durations.set(kernel, milliseconds);
    return true;
  }

  release({ id }: Kernel): void {
    for (const worker of this.#workers.values()) {
      // A worker that has ended has nothing to release.
      if (this.#versions.get(worker)?.delete(id)) worker.ask({ release: id }).catch(() => {});
    }
  }

  async #ask(workerIndex: number, kind: TaskKind, kernel: Kernel, first: number, end: number): Promise<TaskReply> {
    let worker = this.#workers.get(workerIndex);
    if (!worker || worker.ended) {
      worker = new WorkerClient(this.#start());
      this.#workers.set(workerIndex, worker);
      this.#versions.set(worker, new Map());
    }
    const versions = this.#versions.get(worker)!;
    const { id, version, setup } = kernel;
    const question: TaskRequest = { kind, kernel: id, first, end };
    if (!versions.has(id)) question.setup = setup;
    if (versions.get(id) !== version) question.parameters = kernel.parameters.slice();
    versions.set(id, version);
    const transfer = question.parameters ? [question.parameters.buffer as ArrayBuffer] : [];
    try {
      return (await worker.ask(question, transfer)) as TaskReply;
    } catch (error) {
      // The error may be due to the worker's copy, so it is sent again.
      versions.delete(id);
      throw error;
    }
  }
}
