import {
  type Crew,
  type ForgetQuestion,
  OwnThread,
  type PartsAnswer,
  type PartsQuestion,
  type TaskName,
  type TaskResult,
} from "../engine/cpu/crew.js";
import type { Kernel } from "../engine/cpu/kernel.js";
import { AskedWorker, type WorkerPort } from "./askedWorker.js";

/** What a worker of the crew is asked. */
export type CrewQuestion = PartsQuestion | ForgetQuestion;

type CrewWorker = AskedWorker<CrewQuestion, PartsAnswer | undefined>;

/** Beyond this what one thread does between the parts is most of a step. */
const mostWorkers = 16;

/** A worker a core, within reason. */
export function workersFor(cores: number): number {
  return Math.min(Math.max(1, cores), mostWorkers);
}

/** What a crew says of itself, for people. */
export function crewDescription(workers: number): string {
  return `CPU, ${workers} ${workers === 1 ? "worker" : "workers"}`;
}

/** Questions that wait at each worker while it answers another, so that it never waits for its next one. */
const ahead = 1;

/** Milliseconds of work that are done sooner than sent. */
const workOfSending = 0.5;

/** Milliseconds of work for each worker that one question holds, since more of them take longer than one worker waits for another. */
const workOfQuestion = 2;

/** Milliseconds of work that one thread does sooner than workers start. */
const workOfStarting = 150;

/** As many workers as were asked for, which start once there is more to do than their start takes. */
export class WorkerCrew implements Crew {
  readonly description: string;
  readonly #start: () => WorkerPort;
  readonly #count: number;
  /** Milliseconds of work that are done before workers start. */
  #alone: number;
  readonly #workers = new Map<number, CrewWorker>();
  /** The version of each kernel of which a worker has a copy. */
  readonly #versions = new WeakMap<CrewWorker, Map<number, number>>();
  /** What a task with all parts of a kernel took last. */
  readonly #milliseconds = { differentiate: new WeakMap<Kernel, number>(), draw: new WeakMap<Kernel, number>() };
  readonly #ownThread = new OwnThread();

  /**
   * @param start starts a worker that answers as `PartWorker`
   * @param workers how many
   * @param alone milliseconds of work that are done before they start
   */
  constructor(start: () => WorkerPort, workers: number, alone = workOfStarting) {
    this.#alone = alone;
    this.description = crewDescription(workers);
    this.#start = start;
    this.#count = workers;
  }

  /** @throws Error of one sentence if a worker fails; one that is no more is replaced when it is next needed */
  async work<Name extends TaskName>(
    task: Name,
    kernel: Kernel,
    take: (result: TaskResult<Name>, part: number) => void,
    stopped: () => boolean,
  ): Promise<boolean> {
    const { parts } = kernel;
    const known = this.#milliseconds[task];
    const expected = known.get(kernel) ?? Number.POSITIVE_INFINITY;
    // So little, or a lone part, is computed sooner than it is sent.
    if (parts === 1 || expected < workOfSending) {
      const start = performance.now();
      const isDone = await this.#ownThread.work(task, kernel, take, stopped);
      known.set(kernel, performance.now() - start);
      return isDone;
    }
    let asked = 0;
    while (this.#alone > 0 && asked < parts) {
      const start = performance.now();
      if (!(await this.#ownThread.work(task, kernel, take, stopped, asked, ++asked))) return false;
      this.#alone -= performance.now() - start;
    }
    const isShort = expected < workOfQuestion * this.#count;
    const lanes = isShort ? this.#count : (1 + ahead) * this.#count;
    const alone = asked;
    let taken = asked;
    let milliseconds = 0;
    const early = new Map<number, TaskResult<Name>>();
    let failed = false;
    const keepBusy = async (worker: number) => {
      while (!failed && !stopped() && asked < parts) {
        const first = asked;
        // Fewer and fewer, so that all end together.
        asked += Math.ceil(isShort ? (parts - alone) / lanes : (parts - first) / lanes);
        asked = Math.min(asked, parts);
        const answer = await this.#ask(worker, task, kernel, first, asked);
        milliseconds += answer.milliseconds;
        for (const [k, result] of answer.results.entries()) early.set(first + k, result as TaskResult<Name>);
        for (; early.has(taken); early.delete(taken++)) take(early.get(taken)!, taken);
      }
    };
    const busy = Array.from({ length: lanes }, async (_, lane) => {
      try {
        await keepBusy(lane % this.#count);
      } catch (error) {
        failed = true;
        throw error;
      }
    });
    // All of them, so that nothing goes on once this has ended.
    for (const result of await Promise.allSettled(busy)) if (result.status === "rejected") throw result.reason;
    if (taken < parts) return false;
    if (alone === 0) known.set(kernel, milliseconds);
    return true;
  }

  forget({ id }: Kernel): void {
    for (const worker of this.#workers.values()) {
      // A worker that has ended meanwhile has forgotten everything.
      if (this.#versions.get(worker)?.delete(id)) worker.ask({ forget: id }).catch(() => {});
    }
  }

  async #ask(place: number, task: TaskName, kernel: Kernel, first: number, end: number): Promise<PartsAnswer> {
    let worker = this.#workers.get(place);
    if (!worker || worker.ended) {
      worker = new AskedWorker(this.#start());
      this.#workers.set(place, worker);
      this.#versions.set(worker, new Map());
    }
    const versions = this.#versions.get(worker)!;
    const { id, version, setup } = kernel;
    const question: PartsQuestion = { task, kernel: id, first, end };
    if (!versions.has(id)) question.setup = setup;
    if (versions.get(id) !== version) question.parameters = kernel.parameters.slice();
    versions.set(id, version);
    const transfer = question.parameters ? [question.parameters.buffer as ArrayBuffer] : [];
    try {
      return (await worker.ask(question, transfer)) as PartsAnswer;
    } catch (error) {
      // What it failed of may have been its copy.
      versions.delete(id);
      throw error;
    }
  }
}
