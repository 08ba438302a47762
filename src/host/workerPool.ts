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
import { WorkerClient, type WorkerPort } from "./workerClient.js";

/** What a worker of the crew is asked. */
export type PoolRequest = TaskRequest | ReleaseRequest;

type PoolWorker = WorkerClient<PoolRequest, TaskReply | undefined>;

/** Beyond this what one thread does between the parts is most of a step. */
const maxWorkers = 16;

/** A worker a core, within reason. */
export function workersFor(cores: number): number {
  return Math.min(Math.max(1, cores), maxWorkers);
}

/** What a crew says of itself, for people. */
export function poolDescription(workers: number): string {
  return `CPU, ${workers} ${workers === 1 ? "worker" : "workers"}`;
}

/** Questions that wait at each worker while it answers another, so that it never waits for its next one. */
const queuedPerWorker = 1;

/** Milliseconds of work that are done sooner than sent. */
const sendMilliseconds = 0.5;

/** Milliseconds of work for each worker that one question holds, since more of them take longer than one worker waits for another. */
const requestMilliseconds = 2;

/** Milliseconds of work that one thread does sooner than workers start. */
const startMilliseconds = 150;

/** As many workers as were asked for, which start once there is more to do than their start takes. */
export class WorkerPool implements TaskPool {
  readonly description: string;
  readonly #start: () => WorkerPort;
  readonly #count: number;
  /** Milliseconds of work that are done before workers start. */
  #warmUpLeft: number;
  readonly #workers = new Map<number, PoolWorker>();
  /** The version of each kernel of which a worker has a copy. */
  readonly #versions = new WeakMap<PoolWorker, Map<number, number>>();
  /** What a task with all parts of a kernel took last. */
  readonly #milliseconds = { differentiate: new WeakMap<Kernel, number>(), draw: new WeakMap<Kernel, number>() };
  readonly #ownThread = new CallingThread();

  /**
   * @param start starts a worker that answers as `TaskWorker`
   * @param workers how many
   * @param alone milliseconds of work that are done before they start
   */
  constructor(start: () => WorkerPort, workers: number, alone = startMilliseconds) {
    this.#warmUpLeft = alone;
    this.description = poolDescription(workers);
    this.#start = start;
    this.#count = workers;
  }

  /** @throws Error of one sentence if a worker fails; one that is no more is replaced when it is next needed */
  async run<Name extends TaskKind>(
    kind: Name,
    kernel: Kernel,
    onResult: (result: TaskResult<Name>, taskIndex: number) => void,
    isStopped: () => boolean,
  ): Promise<boolean> {
    const { taskCount: parts } = kernel;
    const durations = this.#milliseconds[kind];
    const expected = durations.get(kernel) ?? Number.POSITIVE_INFINITY;
    // So little, or a lone part, is computed sooner than it is sent.
    if (parts === 1 || expected < sendMilliseconds) {
      const start = performance.now();
      const isDone = await this.#ownThread.run(kind, kernel, onResult, isStopped);
      durations.set(kernel, performance.now() - start);
      return isDone;
    }
    let nextTask = 0;
    while (this.#warmUpLeft > 0 && nextTask < parts) {
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
      while (!failed && !isStopped() && nextTask < parts) {
        const first = nextTask;
        // Fewer and fewer, so that all end together.
        nextTask += Math.ceil(isShort ? (parts - alone) / lanes : (parts - first) / lanes);
        nextTask = Math.min(nextTask, parts);
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
    // All of them, so that nothing goes on once this has ended.
    for (const result of await Promise.allSettled(laneRuns)) if (result.status === "rejected") throw result.reason;
    if (nextResult < parts) return false;
    if (alone === 0) durations.set(kernel, milliseconds);
    return true;
  }

  release({ id }: Kernel): void {
    for (const worker of this.#workers.values()) {
      // A worker that has ended meanwhile has forgotten everything.
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
      // What it failed of may have been its copy.
      versions.delete(id);
      throw error;
    }
  }
}
