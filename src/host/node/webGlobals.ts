// The globals of browsers that the library uses and Node lacks. packLibrary.js injects them into the package's modules, so
// that other modules of the process keep their own.
import { loadDawn } from "./dawn.js";

/** Undefined in browsers. Deno has workers too, but waits for them when a script ends. */
const threads = globalThis.document ? undefined : globalThis.process?.getBuiltinModule?.("node:worker_threads");

/** A thread of Node as a Worker of a browser, with the members that browserWorker.ts uses. */
class ThreadWorker extends EventTarget {
  readonly #thread;

  constructor(url: string) {
    super();
    this.#thread = new threads!.Worker(new URL(url));
    this.#thread.on("message", (data) => this.dispatchEvent(new MessageEvent("message", { data })));
    this.#thread.on("error", ({ message }) => this.dispatchEvent(Object.assign(new Event("error"), { message })));
  }

  postMessage(message: unknown, transfer: ArrayBuffer[]): void {
    this.#thread.postMessage(message, transfer);
  }

  terminate(): void {
    void this.#thread.terminate();
  }

  ref(): void {
    this.#thread.ref();
  }

  unref(): void {
    this.#thread.unref();
  }
}

export const Worker = threads ? ThreadWorker : globalThis.Worker;

let dawn: GPU | undefined;

export const navigator =
  threads && !globalThis.navigator?.gpu
    ? {
        hardwareConcurrency: process.getBuiltinModule("node:os").availableParallelism(),
        // Threads, which start from their text, cannot import packages.
        gpu: threads.isMainThread && {
          async requestAdapter(options?: GPURequestAdapterOptions) {
            dawn ??= await loadDawn();
            return dawn.requestAdapter(options);
          },
        },
      }
    : globalThis.navigator;

export const postMessage = threads
  ? (message: unknown, { transfer }: { transfer: ArrayBuffer[] }) => threads.parentPort!.postMessage(message, transfer)
  : globalThis.postMessage?.bind(globalThis);

export const addEventListener = threads
  ? (_type: "message", listener: (event: { data: unknown }) => void) =>
      threads.parentPort!.on("message", (data) => listener({ data }))
  : globalThis.addEventListener?.bind(globalThis);
