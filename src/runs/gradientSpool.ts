import { open } from "node:fs/promises";
import { join } from "node:path";
import type { GradientRecord } from "../engine/files/arrow.js";
import { disk } from "./disk.js";
import { fill } from "./largeFiles.js";
import { temporaryName, toWriteFailure } from "./staging.js";

/** The gradients that a run records, on the disk while it is under way, since many do not fit into memory. */
export class GradientSpool {
  readonly #steps: number[] = [];
  readonly #path: string;

  /** @param tag tells the spools of several runs in one folder apart */
  constructor(
    readonly folder: string,
    tag: string,
  ) {
    this.#path = join(folder, temporaryName(`-gradients${tag}`));
  }

  /** Records so far. */
  get count(): number {
    return this.#steps.length;
  }

  /**
   * Adds a record, unless its step came before: after a lost device steps come again.
   * @throws Failure if it cannot be written
   */
  async add({ step, gradients }: GradientRecord): Promise<void> {
    if (step <= (this.#steps.at(-1) ?? 0)) return;
    const bytes = new Uint8Array(gradients.buffer, gradients.byteOffset, gradients.byteLength);
    try {
      await disk.write(this.#path, bytes, this.count === 0 ? "w" : "a");
    } catch (error) {
      throw toWriteFailure(this.folder, error);
    }
    this.#steps.push(step);
  }

  /**
   * The first records, in order.
   * @param count how many
   * @param slots values of each
   */
  async *read(count: number, slots: number): AsyncGenerator<GradientRecord> {
    if (count === 0) return;
    const file = await open(this.#path, "r");
    try {
      for (const [i, step] of this.#steps.slice(0, count).entries()) {
        const gradients = new Float32Array(slots);
        await fill(file, new Uint8Array(gradients.buffer), i * gradients.byteLength);
        yield { step, gradients };
      }
    } finally {
      await file.close();
    }
  }

  /** Removes them. */
  async discard(): Promise<void> {
    if (this.count > 0) await disk.remove(this.#path).catch(() => {});
  }
}
