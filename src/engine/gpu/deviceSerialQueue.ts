import { SerialQueue } from "../serialQueue.js";
import { EndlessLoopError } from "./boundLoops.js";
import type { Gpu } from "./device.js";
import type { ErrorScopes } from "./errorScopes.js";

/** Carries work on a device out in turns, and sees what becomes of the device meanwhile. */
export class DeviceSerialQueue {
  readonly #queue = new SerialQueue();
  /** What is being read. */
  readonly #readings = new Set<Promise<unknown>>();
  #isClosed = false;

  /**
   * @param errors of the calls that the work makes
   * @param settle makes sure that what was submitted is done
   * @param check throws if what was done is worth nothing
   */
  constructor(
    readonly gpu: Gpu,
    readonly errors: ErrorScopes,
    readonly settle: () => Promise<void>,
    readonly check: () => Promise<void>,
  ) {}

  /** @param allowsUnsettled whether the work may go on from what is not known to be done */
  run<T>(work: () => Promise<T>, allowsUnsettled = false): Promise<T> {
    return this.#take(work, allowsUnsettled, true);
  }

  #take<T>(work: () => Promise<T>, allowsUnsettled: boolean, waitsForErrors: boolean): Promise<T> {
    return this.#queue.run(async () => {
      if (this.#isClosed) throw new Error("This pipeline has been freed.");
      return this.#reportLoss(async () => {
        if (!allowsUnsettled) await this.settle();
        return work();
      }, waitsForErrors);
    });
  }

  /** Work in its turn that asks for readings: the turns that come later go on while they are read. */
  async read<const T extends readonly unknown[]>(
    work: () => Promise<T>,
    allowsUnsettled = false,
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    // The reading waits for the errors.
    const { reading } = await this.#take(
      async () => {
        const pending = Promise.all(await work());
        const reading = this.#reportLoss(() => pending);
        const removeReading = () => this.#readings.delete(reading);
        this.#readings.add(reading);
        reading.then(removeReading, removeReading);
        return { reading };
      },
      allowsUnsettled,
      false,
    );
    return reading;
  }

  /** Refuses the turns that come later, and does something when those under way, and what is read, are over. */
  close(finalize: () => void): Promise<void> {
    this.#isClosed = true;
    return this.#queue.run(async () => {
      await Promise.allSettled(this.#readings);
      finalize();
    });
  }

  async #reportLoss<T>(work: () => Promise<T>, waitsForErrors = true): Promise<T> {
    try {
      this.gpu.checkAlive();
      try {
        return await this.errors.report(work, waitsForErrors);
      } finally {
        // Whatever came of it: what a loop left that was ended is worth nothing.
        await this.check();
      }
    } catch (error) {
      if (error instanceof EndlessLoopError) throw error;
      // What fails because the device is gone says so, whatever it failed with. The word of its loss may come later, much
      // later on a busy machine; behind a readback that was broken off it does come.
      const timeout = (error as Error).name === "AbortError" ? 10_000 : 100;
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([this.gpu.lost, new Promise((resolve) => (timer = setTimeout(resolve, timeout)))]);
      clearTimeout(timer);
      this.gpu.checkAlive();
      throw error;
    }
  }
}
