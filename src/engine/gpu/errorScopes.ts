import { DeviceLostError } from "../pipeline.js";
import { EndlessLoopError } from "./boundLoops.js";
import type { Gpu } from "./device.js";

/** Internal errors, the third filter, occur only when pipelines are created. */
const filters: GPUErrorFilter[] = ["validation", "out-of-memory"];

/** Catches the errors of one owner's calls, since a device does not report which call failed. */
export class ErrorScopes {
  readonly #errors: GPUError[] = [];
  /** Resolves when the errors of all calls so far are known. */
  #collected: Promise<void> = Promise.resolve();
  #depth = 0;

  constructor(readonly gpu: Pick<Gpu, "device" | "answer" | "lost">) {}

  /** Runs synchronous calls on the device in error scopes and returns their result. */
  within<T>(calls: () => T): T {
    if (this.#depth > 0) return calls();
    const { device } = this.gpu;
    for (const filter of filters) device.pushErrorScope(filter);
    this.#depth++;
    try {
      return calls();
    } finally {
      this.#depth--;
      this.#collected = this.#collectErrors(Promise.all(filters.map(() => device.popErrorScope())), this.#collected);
    }
  }

  async #collectErrors(popped: Promise<(GPUError | null)[]>, before: Promise<void>): Promise<void> {
    // A lost device reports no errors.
    const errors: (GPUError | null)[] = await popped.catch(() => []);
    await before;
    this.#errors.push(...errors.filter((error): error is GPUError => error !== null));
  }

  /** Returns the number of errors of the calls so far. */
  async count(): Promise<number> {
    await this.gpu.answer(Promise.race([this.#collected, this.gpu.lost]));
    return this.#errors.length;
  }

  /** Removes and returns the first error after the first `before` ones. */
  async takeFirst(before = 0): Promise<GPUError | undefined> {
    await this.count();
    return this.#errors.splice(before)[0];
  }

  /**
   * Runs work with calls that may fail without an exception.
   * @param waitsForErrors whether to wait until the errors of all calls are known; otherwise later work reports them
   * @throws Error that describes the first error since the work began
   */
  async report<T>(work: () => Promise<T>, waitsForErrors = true): Promise<T> {
    const before = this.#errors.length;
    const throwFirst = () => {
      if (this.#errors.length > before) throw new Error(describeError(this.#errors[before]));
    };
    const result = await work().catch(async (error) => {
      if (!(error instanceof EndlessLoopError) && !(error instanceof DeviceLostError)) {
        await this.count();
        throwFirst();
      }
      throw error;
    });
    if (waitsForErrors) await this.count();
    throwFirst();
    return result;
  }
}

/**
 * Returns a message for a device's error.
 * @param purpose the purpose of the allocation
 */
export function describeError(error: GPUError, purpose = "this job: use fewer blobs or a smaller image"): string {
  if (error instanceof GPUOutOfMemoryError) return `The GPU has too little memory for ${purpose}.`;
  return `The GPU reported an error: ${error.message.trim().split("\n")[0].replace(/\.?$/, ".")}`;
}
