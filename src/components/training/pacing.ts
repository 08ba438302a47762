/**
 * Milliseconds from one value to when the next is due, at most, unless the work takes longer than half of that: less than a
 * second, since a value may have to wait for the steps in progress.
 */
const maxPause = 600;

/**
 * Returns the milliseconds to wait after work that is repeated: at least an interval, and so long that the work takes at
 * most one part in `share` of the time. The work is still repeated once a second; where it takes more than half a second,
 * it takes half of the time.
 * @param cost milliseconds that the work took
 */
export function pauseAfter(cost: number, interval: number, costFactor: number): number {
  return Math.max(interval, Math.min((costFactor - 1) * cost, Math.max(maxPause - cost, cost)));
}

/** Decides when repeated work is due again. */
export class Pacing {
  #dueAt = Number.NEGATIVE_INFINITY;

  /** @param pause returns the milliseconds to wait after work that took so many */
  constructor(readonly pause: (cost: number) => number) {}

  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** @param cost milliseconds that the work took */
  done(cost: number): void {
    this.#dueAt = performance.now() + this.pause(cost);
  }
}
