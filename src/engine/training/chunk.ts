/** How many steps to take before looking up again: about half an interval of them, once their speed is known. */
export class Chunk {
  stepsPerSecond = 0;
  #steps = 1;
  /** Of the latest chunks, those further back count ever less. */
  #latest = { done: 0, milliseconds: 0 };
  #lookedAt = performance.now();

  constructor(readonly interval: number) {}

  steps(most: number): number {
    return Math.min(this.#steps, most);
  }

  learn(done: number, milliseconds: number): void {
    if (done === 0) return;
    // A busy thread hears of one chunk late and of the next at once, so that only sums tell a speed.
    this.#latest.done = 0.7 * this.#latest.done + done;
    this.#latest.milliseconds = 0.7 * this.#latest.milliseconds + milliseconds;
    const isFirst = this.stepsPerSecond === 0;
    this.stepsPerSecond = (1000 * this.#latest.done) / Math.max(this.#latest.milliseconds, 0.01);
    // The first waits for the kernels to be compiled.
    if (isFirst) this.#latest = { done: 0, milliseconds: 0 };
    const wanted = Math.round((0.5 * this.interval * this.stepsPerSecond) / 1000);
    this.#steps = Math.max(1, Math.min(wanted, 4 * Math.max(done, this.#steps)));
  }

  /** Whether an interval has passed since this last said so. */
  isOver(now: number): boolean {
    if (now - this.#lookedAt < this.interval) return false;
    this.#lookedAt = now;
    return true;
  }
}
