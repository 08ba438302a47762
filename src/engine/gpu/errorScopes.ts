import { DeviceLostError } from "../pipeline.js";
import { EndlessLoopError } from "./boundLoops.js";
import type { Gpu } from "./device.js";

/** Internal errors, the third kind, are of making pipelines alone. */
const filters: GPUErrorFilter[] = ["validation", "out-of-memory"];

/** Catches the errors of one owner's calls, such as those of a pipeline: a device does not say which call an error is of. */
export class ErrorScopes {
  readonly #errors: GPUError[] = [];
  /** Settles when the errors of all calls so far are known. */
  #collected: Promise<void> = Promise.resolve();
  #depth = 0;

  constructor(readonly gpu: Pick<Gpu, "device" | "answer" | "lost">) {}

  /** Makes calls on the device and returns their result. They have to be synchronous, since scopes catch no others. */
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
    // Nothing is known of the calls on a lost device.
    const errors: (GPUError | null)[] = await popped.catch(() => []);
    await before;
    this.#errors.push(...errors.filter((error): error is GPUError => error !== null));
  }

  /** Returns the number of errors of the calls so far. */
  async count(): Promise<number> {
    await this.gpu.answer(Promise.race([this.#collected, this.gpu.lost]));
    return this.#errors.length;
  }

  /** Returns the first error of the calls so far, behind so many others, and forgets it. */
  async takeFirst(before = 0): Promise<GPUError | undefined> {
    await this.count();
    return this.#errors.splice(before)[0];
  }

  /**
   * Does work whose calls may fail without an exception: the device goes on, and reads zeros.
   * @param waitsForErrors whether to wait until the errors of all calls are known; otherwise later work reports them
   * @throws Error of one sentence for the first error since the work began
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
 * Returns a device's error as a sentence.
 * @param purpose what memory was wanted for
 */
export function describeError(error: GPUError, purpose = "this: take fewer blobs or a smaller picture"): string {
  if (error instanceof GPUOutOfMemoryError) return `The GPU has too little memory for ${purpose}.`;
  return `The GPU refused its work: ${error.message.trim().split("\n")[0].replace(/\.?$/, ".")}`;
}
