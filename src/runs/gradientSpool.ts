import { open } from "node:fs/promises";
import { join } from "node:path";
import type { GradientRecord } from "../engine/files/arrow.js";
import { disk } from "./disk.js";
import { bytesOf } from "./floats.js";
import { fill } from "./largeFiles.js";
import { temporaryName, toWriteFailure } from "./staging.js";

/** The recorded gradients of a run in a temporary file, since they may not fit into memory. */
export class GradientSpool {
  readonly #steps: number[] = [];
  readonly #path: string;

  constructor(readonly folder: string) {
    this.#path = join(folder, temporaryName("-gradients"));
  }

  get count(): number {
    return this.#steps.length;
  }

  /** Returns the number of records up to a step. */
  countUntil(step: number): number {
    return this.#steps.filter((recorded) => recorded <= step).length;
  }

  /**
   * Adds a record unless its step has been recorded. After a lost device, steps are repeated.
   * @throws Failure if it cannot be written
   */
  async add({ step, gradients }: GradientRecord): Promise<void> {
    if (step <= (this.#steps.at(-1) ?? 0)) return;
    try {
      await disk.write(this.#path, bytesOf(gradients), this.count === 0 ? "w" : "a");
    } catch (error) {
      throw toWriteFailure(this.folder, error);
    }
    this.#steps.push(step);
  }

  /**
   * Reads the first records, in order.
   * @param count number of records
   * @param slots values per record
   */
  async *read(count: number, slots: number): AsyncGenerator<GradientRecord> {
    if (count === 0) return;
    await using file = await open(this.#path, "r");
    for (const [i, step] of this.#steps.slice(0, count).entries()) {
      const gradients = new Float32Array(slots);
      await fill(file, new Uint8Array(gradients.buffer), i * gradients.byteLength);
      yield { step, gradients };
    }
  }

  async discard(): Promise<void> {
    if (this.count > 0) await disk.remove(this.#path).catch(() => {});
  }
}
