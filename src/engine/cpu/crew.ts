import type { Part, Parts } from "./parts.js";
import { differentiate, draw } from "./rasterize.js";

/** What may be done with a part. */
const tasks = { differentiate, draw };

export type TaskName = keyof typeof tasks;
export type TaskResult<Name extends TaskName> = ReturnType<(typeof tasks)[Name]>;

/** Who computes parts: one thread or several. */
export interface Crew {
  /** For people. */
  readonly description: string;
  /**
   * Does a task with each part, and hands the results over in the parts' order.
   * @param take given each result
   * @param stopped asked between parts whether to give up
   * @returns false if it gave up before the last part
   */
  work<Name extends TaskName>(
    task: Name,
    parts: Parts,
    take: (result: TaskResult<Name>) => void,
    stopped: () => boolean,
  ): Promise<boolean>;
}

export function doTask<Name extends TaskName>(task: Name, part: Part): TaskResult<Name> {
  return tasks[task](part) as TaskResult<Name>;
}

/** Milliseconds of work before the thread is given back. */
const slice = 12;

/** Computes on the calling thread, in slices, so that it stays responsive. */
export class OwnThread implements Crew {
  readonly description = "CPU";
  #sliceStart = performance.now();

  async work<Name extends TaskName>(
    task: Name,
    parts: Iterable<Part>,
    take: (result: TaskResult<Name>) => void,
    stopped: () => boolean,
  ): Promise<boolean> {
    for (const part of parts) {
      take(doTask(task, part));
      // A slice may span many short steps, which would otherwise never give the thread back.
      if (performance.now() - this.#sliceStart < slice) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (stopped()) return false;
      this.#sliceStart = performance.now();
    }
    return true;
  }
}
