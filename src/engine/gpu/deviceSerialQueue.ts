import { SerialQueue } from "../serialQueue.js";
import { EndlessLoopError } from "./boundLoops.js";
import type { Gpu } from "./device.js";
import type { ErrorScopes } from "./errorScopes.js";

/** Runs work on a device one task after the other, and reports its errors and the loss of the device. */
export class DeviceSerialQueue {
  readonly #queue = new SerialQueue();
  /** Pending readbacks. */
  readonly #readings = new Set<Promise<unknown>>();
  #isClosed = false;

  /**
   * @param errors catches the errors of the tasks' calls
   * @param settle completes submitted steps
   * @param check throws if the results of submitted work are invalid
   */
  constructor(
    readonly gpu: Gpu,
    readonly errors: ErrorScopes,
    readonly settle: () => Promise<void>,
    readonly check: () => Promise<void>,
  ) {}

  /** @param allowsUnsettled whether the task may start before submitted steps are known to be complete */
  run<T>(work: () => Promise<T>, allowsUnsettled = false): Promise<T> {
    return this.#enqueue(work, allowsUnsettled, true);
  }

  #enqueue<T>(work: () => Promise<T>, allowsUnsettled: boolean, waitsForErrors: boolean): Promise<T> {
    return this.#queue.run(async () => {
      if (this.#isClosed) throw new Error("This pipeline has been freed.");
      return this.#reportLoss(async () => {
        if (!allowsUnsettled) await this.settle();
        return work();
      }, waitsForErrors);
    });
  }

  /** Runs a task that starts readbacks. Later tasks run while these are pending. */
  async read<const T extends readonly unknown[]>(
    work: () => Promise<T>,
    allowsUnsettled = false,
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    // The readback waits for the errors.
    const { reading } = await this.#enqueue(
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

  /** Rejects later tasks, and calls `finalize` after queued tasks and pending readbacks. */
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
        // Also after an error: an ended loop is its likely cause.
        await this.check();
      }
    } catch (error) {
      if (error instanceof EndlessLoopError) throw error;
      // An error caused by device loss is reported as such. The loss may be reported later than the error, much later
      // on a busy machine; after an aborted readback it is certain.
      const timeout = (error as Error).name === "AbortError" ? 10_000 : 100;
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([this.gpu.lost, new Promise((resolve) => (timer = setTimeout(resolve, timeout)))]);
      clearTimeout(timer);
      this.gpu.checkAlive();
      throw error;
    }
  }
}
