import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type FarmJob, type FarmResult, idOf } from "./farmJob.js";
import type { JobQueue } from "./pendingJobs.js";
import { startTrainers, type Trainer } from "./trainers.js";

/** Trains jobs in processes of this command. */
export class LocalQueue implements JobQueue {
  readonly isCut = false;
  readonly #waiting: FarmJob[] = [];
  readonly #trainers: Trainer[];
  readonly #idle: Trainer[];
  readonly #running = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #onEnded: (id: string, result: FarmResult | Error) => void = () => {};

  /**
   * @param folder the command's folder
   * @param count number of processes
   */
  constructor(folder: string, count: number, onWarning?: (warning: string) => void) {
    this.#trainers = startTrainers(folder, count, onWarning);
    this.#idle = [...this.#trainers];
  }

  async put(jobs: FarmJob[]): Promise<void> {
    this.#waiting.push(...jobs);
    this.#startWaiting();
  }

  async follow(onEnded: (id: string, result: FarmResult | Error) => void): Promise<void> {
    this.#onEnded = onEnded;
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.#idle.length > 0 && !this.#stopped.signal.aborted) {
      const trainer = this.#idle.pop()!;
      const run = this.#train(this.#waiting.shift()!, trainer).finally(() => {
        this.#running.delete(run);
        this.#idle.push(trainer);
        this.#startWaiting();
      });
      this.#running.add(run);
    }
  }

  async #train(job: FarmJob, trainer: Trainer): Promise<void> {
    const { signal } = this.#stopped;
    const id = idOf(job);
    let result: FarmResult | Error | undefined;
    for (let attempt = 1; !result && !signal.aborted; attempt++) {
      result = await trainer.train({ id, token: randomUUID(), job }, attempt, signal).catch((error) => error);
    }
    if (result) this.#onEnded(id, result);
  }

  async status() {
    return { running: this.#running.size > 0 ? { [hostname()]: this.#running.size } : {} };
  }

  async withdraw(): Promise<void> {
    this.#waiting.length = 0;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#running);
    for (const trainer of this.#trainers) trainer.end();
  }

  close(): Promise<void> {
    return this.stop();
  }
}
