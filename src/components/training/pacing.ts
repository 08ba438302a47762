/** Maximum milliseconds between two values: less than a second, because a value may wait for the steps in progress. */
const maxPause = 600;

/**
 * Returns the milliseconds to wait until work is repeated: at least `interval`, and long enough that the work takes at most
 * 1/`costFactor` of the time. It is repeated about once per second even so; slow work takes up to half of the time.
 * @param cost milliseconds that the work took
 */
export function pauseAfter(cost: number, interval: number, costFactor: number): number {
  return Math.max(interval, Math.min((costFactor - 1) * cost, Math.max(maxPause - cost, cost)));
}

/** Schedules repeated work. */
export class Pacing {
  #dueAt = Number.NEGATIVE_INFINITY;

  /** @param pause returns the milliseconds to wait after work of a cost in milliseconds */
  constructor(readonly pause: (cost: number) => number) {}

  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** @param cost milliseconds that the work took */
  done(cost: number): void {
    this.#dueAt = performance.now() + this.pause(cost);
  }
}
