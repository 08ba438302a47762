/** How many steps a run may take: any number, or so many and then none until it is told otherwise. */
export class Throttle {
  #steps = Number.POSITIVE_INFINITY;
  #isToRest = false;
  #change = new AbortController();
  #wake: () => void = () => {};

  get steps(): number {
    return this.#steps;
  }

  /** Aborts when other steps are allowed than those that were asked for. */
  get changed(): AbortSignal {
    return this.#change.signal;
  }

  /** Allows so many steps from now on. Those that are under way do not count, and are cut short. */
  allow(steps: number): void {
    this.#steps = steps;
    this.#change.abort();
    this.#change = new AbortController();
    if (steps > 0) this.wake();
  }

  /** Allows any number. */
  open(): void {
    this.#steps = Number.POSITIVE_INFINITY;
    this.wake();
  }

  /** Takes steps that are done off those that are allowed. */
  spend(steps: number): void {
    this.#steps = Math.max(0, this.#steps - steps);
  }

  /** Resolves when something may have changed. */
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }

  /** Asks for a pause behind the steps that are asked for next, for as long as it takes to tell of them. */
  rest(): void {
    this.#isToRest = true;
  }

  /** Whether there is to be one; it is had with this. */
  takeRest(): boolean {
    const isToRest = this.#isToRest;
    this.#isToRest = false;
    return isToRest;
  }
}
