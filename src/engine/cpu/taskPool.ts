import { Kernel, type KernelSetup, type TaskDerivatives, type TaskPixels } from "./kernel.js";

/** What is done with the parts of a kernel's picture. */
interface TaskResults {
  differentiate: TaskDerivatives;
  draw: TaskPixels;
}

export type TaskKind = keyof TaskResults;
export type TaskResult<Name extends TaskKind> = TaskResults[Name];

/** Who computes parts: one thread or several. */
export interface TaskPool {
  /** For people. */
  readonly description: string;
  /**
   * Does a task with each part of a kernel at its present parameters, and hands the results over in the parts' order.
   * @param onResult given each result, which is good until it returns
   * @param isStopped asked between parts whether to give up
   * @returns false if it gave up before the last part
   */
  run<Name extends TaskKind>(
    kind: Name,
    kernel: Kernel,
    onResult: (result: TaskResult<Name>, taskIndex: number) => void,
    isStopped: () => boolean,
  ): Promise<boolean>;
  /** Frees what is held for a kernel that is used no more. */
  forget(kernel: Kernel): void;
}

/** What a worker is asked: a task with some parts, one after the other. */
export interface TaskRequest {
  kind: TaskKind;
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
export interface ReleaseRequest {
  forget: number;
}

/** What a worker answers: the results of the parts, in order, and the milliseconds that they took. */
export interface TaskReply {
  results: TaskResult<TaskKind>[];
  milliseconds: number;
}

/** A worker's own side: answers what it is asked with copies of other threads' kernels. */
export class TaskWorker {
  readonly #kernels = new Map<number, Kernel>();

  answer(question: TaskRequest | ReleaseRequest): TaskReply | undefined {
    if ("forget" in question) {
      this.#kernels.delete(question.forget);
      return undefined;
    }
    const start = performance.now();
    const { kind, kernel: id, first, end, setup, parameters } = question;
    if (setup) this.#kernels.set(id, new Kernel(setup));
    const kernel = this.#kernels.get(id)!;
    if (parameters) kernel.setParameters(parameters);
    const results = Array.from({ length: end - first }, (_, k) => packResult(kernel[kind](first + k)));
    return { results, milliseconds: performance.now() - start };
  }
}

/** A result in memory of its own, which can be handed over: one buffer, since each takes its time. */
function packResult(result: TaskResult<TaskKind>): TaskResult<TaskKind> {
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
const sliceMilliseconds = 12;

/** Computes on the calling thread, in slices, so that it stays responsive. */
export class CallingThread implements TaskPool {
  readonly description = "CPU";
  #sliceStart = performance.now();

  async run<Name extends TaskKind>(
    kind: Name,
    kernel: Kernel,
    onResult: (result: TaskResult<Name>, taskIndex: number) => void,
    isStopped: () => boolean,
    first = 0,
    end = kernel.taskCount,
  ): Promise<boolean> {
    for (let part = first; part < end; part++) {
      onResult(kernel[kind](part) as TaskResult<Name>, part);
      // A slice may span many short steps, which would otherwise never give the thread back.
      if (performance.now() - this.#sliceStart < sliceMilliseconds) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (isStopped()) return false;
      this.#sliceStart = performance.now();
    }
    return true;
  }

  forget(): void {}
}
