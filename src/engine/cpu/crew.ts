import { Kernel, type KernelSetup, type PartDerivatives, type PartPixels } from "./kernel.js";

/** What is done with the parts of a kernel's picture. */
interface PartResults {
  differentiate: PartDerivatives;
  draw: PartPixels;
}

export type TaskName = keyof PartResults;
export type TaskResult<Name extends TaskName> = PartResults[Name];

/** Who computes parts: one thread or several. */
export interface Crew {
  /** For people. */
  readonly description: string;
  /**
   * Does a task with each part of a kernel at its present parameters, and hands the results over in the parts' order.
   * @param take given each result, which is good until it returns
   * @param stopped asked between parts whether to give up
   * @returns false if it gave up before the last part
   */
  work<Name extends TaskName>(
    task: Name,
    kernel: Kernel,
    take: (result: TaskResult<Name>, part: number) => void,
    stopped: () => boolean,
  ): Promise<boolean>;
  /** Frees what is held for a kernel that is used no more. */
  forget(kernel: Kernel): void;
}

/** What a worker is asked: a task with some parts, one after the other. */
export interface PartsQuestion {
  task: TaskName;
  /** The id of the kernel of which the worker keeps a copy. */
  kernel: number;
  /** From this part up to, but without, the other. */
  first: number;
  end: number;
  /** What the copy is made of, where the worker has none. */
  setup?: KernelSetup;
  /** Where they have changed since the worker was asked last. */
  parameters?: Float32Array;
}

/** Asks a worker to free a copy. */
export interface ForgetQuestion {
  forget: number;
}

/** What a worker answers: the results of the parts, in order, and the milliseconds that they took. */
export interface PartsAnswer {
  results: TaskResult<TaskName>[];
  milliseconds: number;
}

/** A worker's own side: answers what it is asked with copies of other threads' kernels. */
export class PartWorker {
  readonly #kernels = new Map<number, Kernel>();

  answer(question: PartsQuestion | ForgetQuestion): PartsAnswer | undefined {
    if ("forget" in question) {
      this.#kernels.delete(question.forget);
      return undefined;
    }
    const start = performance.now();
    const { task, kernel: id, first, end, setup, parameters } = question;
    if (setup) this.#kernels.set(id, new Kernel(setup));
    const kernel = this.#kernels.get(id)!;
    if (parameters) kernel.setParameters(parameters);
    const results = Array.from({ length: end - first }, (_, k) => copyOf(kernel[task](first + k)));
    return { results, milliseconds: performance.now() - start };
  }
}

/** A result in memory of its own, which can be handed over: one buffer, since each takes its time. */
function copyOf(result: TaskResult<TaskName>): TaskResult<TaskName> {
  if (result instanceof Float32Array) return result.slice();
  const { squaredError, blobs, gradients, tileOffsets } = result;
  const buffer = new ArrayBuffer(blobs.byteLength + gradients.byteLength + tileOffsets.byteLength);
  const copy = {
    squaredError,
    blobs: new Uint32Array(buffer, 0, blobs.length),
    gradients: new Float32Array(buffer, blobs.byteLength, gradients.length),
    tileOffsets: new Uint32Array(buffer, blobs.byteLength + gradients.byteLength),
  };
  copy.blobs.set(blobs);
  copy.gradients.set(gradients);
  copy.tileOffsets.set(tileOffsets);
  return copy;
}

/** Milliseconds of work before the thread is given back. */
const slice = 12;

/** Computes on the calling thread, in slices, so that it stays responsive. */
export class OwnThread implements Crew {
  readonly description = "CPU";
  #sliceStart = performance.now();

  async work<Name extends TaskName>(
    task: Name,
    kernel: Kernel,
    take: (result: TaskResult<Name>, part: number) => void,
    stopped: () => boolean,
    first = 0,
    end = kernel.parts,
  ): Promise<boolean> {
    for (let part = first; part < end; part++) {
      take(kernel[task](part) as TaskResult<Name>, part);
      // A slice may span many short steps, which would otherwise never give the thread back.
      if (performance.now() - this.#sliceStart < slice) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (stopped()) return false;
      this.#sliceStart = performance.now();
    }
    return true;
  }

  forget(): void {}
}
