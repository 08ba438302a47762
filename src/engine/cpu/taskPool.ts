import { Kernel, type KernelSetup, type TaskDerivatives, type TaskPixels } from "./kernel.js";

/** Results of tasks by kind. */
interface TaskResults {
  differentiate: TaskDerivatives;
  draw: TaskPixels;
}

export type TaskKind = keyof TaskResults;
export type TaskResult<Name extends TaskKind> = TaskResults[Name];

/** Runs the tasks of kernels on one thread or several. */
export interface TaskPool {
  /** Display name. */
  readonly description: string;
  /**
   * Runs all tasks of a kernel at its current parameters, and returns their results in order.
   * @param onResult called with each result, which is valid until it returns
   * @param isStopped polled between tasks
   * @returns false if it was stopped before the last task
   */
  run<Name extends TaskKind>(
    kind: Name,
    kernel: Kernel,
    onResult: (result: TaskResult<Name>, taskIndex: number) => void,
    isStopped: () => boolean,
  ): Promise<boolean>;
  /** Frees the copies of a kernel. */
  release(kernel: Kernel): void;
}

/** A request to a worker: a range of tasks. */
export interface TaskRequest {
  kind: TaskKind;
  /** Id of the kernel, of which the worker keeps a copy. */
  kernel: number;
  /** The range of tasks; `end` is exclusive. */
  first: number;
  end: number;
  /** The kernel's setup, if the worker has no copy. */
  setup?: KernelSetup;
  /** Present if they have changed since the previous request. */
  parameters?: Float32Array;
}

/** A request to a worker to free its copy of a kernel. */
export interface ReleaseRequest {
  release: number;
}

/** A worker's reply: the results of the tasks, in order, and the milliseconds that they took. */
export interface TaskReply {
  results: TaskResult<TaskKind>[];
  milliseconds: number;
}

/** The worker's side of a pool: runs requests on copies of kernels. */
export class TaskWorker {
  readonly #kernels = new Map<number, Kernel>();

  answer(request: TaskRequest | ReleaseRequest): TaskReply | undefined {
    if ("release" in request) {
      this.#kernels.delete(request.release);
      return undefined;
    }
    const start = performance.now();
    const { kind, kernel: id, first, end, setup, parameters } = request;
    if (setup) this.#kernels.set(id, new Kernel(setup));
    const kernel = this.#kernels.get(id)!;
    if (parameters) kernel.setParameters(parameters);
    const results = Array.from({ length: end - first }, (_, k) => packResult(kernel[kind](first + k)));
    return { results, milliseconds: performance.now() - start };
  }
}

/** Copies a result to a single new buffer, which can be transferred. */
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

/** Milliseconds of work before the thread yields. */
const sliceMilliseconds = 12;

/** Runs tasks on the calling thread in slices, so that it stays responsive. */
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
    for (let taskIndex = first; taskIndex < end; taskIndex++) {
      onResult(kernel[kind](taskIndex) as TaskResult<Name>, taskIndex);
      // A slice may span many short steps, which would otherwise never yield.
      if (performance.now() - this.#sliceStart < sliceMilliseconds) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (isStopped()) return false;
      this.#sliceStart = performance.now();
    }
    return true;
  }

  release(): void {}
}
