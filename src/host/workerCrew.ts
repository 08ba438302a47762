import { type Crew, OwnThread, type TaskName, type TaskResult } from "../engine/cpu/crew.js";
import type { Part, Parts } from "../engine/cpu/parts.js";
import { AskedWorker, buffersOf, type WorkerPort } from "./askedWorker.js";

/** What a worker of the crew is asked. */
export interface TaskQuestion {
  task: TaskName;
  part: Part;
}

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

/** Parts that wait at each worker while it computes another, so that it never waits for its next one. */
const ahead = 1;

/** Milliseconds of work that one thread does sooner than workers start. */
const workOfStarting = 150;

/** As many workers as were asked for, which start once there is more to do than their start takes. */
export class WorkerCrew implements Crew {
  readonly description: string;
  readonly #start: () => WorkerPort;
  readonly #count: number;
  /** Milliseconds of work that are done before workers start. */
  #alone: number;
  readonly #workers = new Map<number, AskedWorker<TaskQuestion, TaskResult<TaskName>>>();
  readonly #ownThread = new OwnThread();

  /**
   * @param start starts a worker that answers with `doTask`
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
    parts: Parts,
    take: (result: TaskResult<Name>) => void,
    stopped: () => boolean,
  ): Promise<boolean> {
    // A lone part is computed sooner than it is sent.
    if (parts.count === 1) return this.#ownThread.work(task, parts, take, stopped);
    const left = parts[Symbol.iterator]();
    let taken = 0;
    const takeNext = (result: TaskResult<Name>) => {
      taken++;
      take(result);
    };
    if (!(await this.#ownThread.work(task, this.#whileAlone(left), takeNext, stopped))) return false;
    const early = new Map<number, TaskResult<Name>>();
    let given = taken;
    let failed = false;
    const keepBusy = async (worker: number) => {
      while (!failed && !stopped()) {
        const next = left.next();
        if (next.done) return;
        const part = given++;
        early.set(part, await this.#ask(worker, task, next.value));
        for (; early.has(taken); early.delete(taken - 1)) takeNext(early.get(taken)!);
      }
    };
    const lanes = Math.min((1 + ahead) * this.#count, parts.count);
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
    return taken === parts.count;
  }

  /** Parts to be computed here, as long as workers are not worth their start. */
  *#whileAlone(left: Iterator<Part>): Generator<Part> {
    while (this.#alone > 0) {
      const { value, done } = left.next();
      if (done) return;
      const start = performance.now();
      yield value;
      this.#alone -= performance.now() - start;
    }
  }

  async #ask<Name extends TaskName>(place: number, task: Name, part: Part): Promise<TaskResult<Name>> {
    let worker = this.#workers.get(place);
    if (!worker || worker.ended) {
      worker = new AskedWorker(this.#start());
      this.#workers.set(place, worker);
    }
    return (await worker.ask({ task, part }, buffersOf(part))) as TaskResult<Name>;
  }
}
