/** How many steps to take before looking up again: about half an interval of them, once their speed is known. */
export class Chunk {
  stepsPerSecond = 0;
  #steps = 1;
  #lookedAt = performance.now();

  constructor(readonly interval: number) {}

  steps(most: number): number {
    return Math.min(this.#steps, most);
  }

  learn(done: number, milliseconds: number): void {
    if (done === 0) return;
    const speed = (1000 * done) / Math.max(milliseconds, 0.01);
    this.stepsPerSecond = this.stepsPerSecond === 0 ? speed : 0.7 * this.stepsPerSecond + 0.3 * speed;
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
