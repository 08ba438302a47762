import { pauseAfter } from "./pacing.js";

/** Something that changes while a page shows it, such as a run. */
export interface ChangeSource {
  /** Resolves at the next change. */
  readonly changed: Promise<void>;
  /** Whether it has changed for the last time. */
  readonly isOver: boolean;
  /** Whether `follow` ends after its current value; `isOver` if absent. */
  readonly isFinal?: boolean;
  /** Whether nothing is in progress. Its state is then shown without delay. */
  readonly isIdle?: boolean;
}

export interface FollowOptions {
  /** Minimum milliseconds between two values. */
  interval?: number;
  /** Work on the values takes at most about 1/`costFactor` of the time. */
  costFactor?: number;
  /** Whether there is a value per second even so, see `pauseAfter`. */
  isBounded?: boolean;
}

/**
 * Yields the values of a source, for a cell: the current one, then each that differs from the one before. Values that come
 * while the consumer is busy or its tab is hidden are skipped, except for the latest.
 * @param read returns the current value, or undefined before the first
 */
export async function* follow<T>(
  source: ChangeSource,
  read: () => T | undefined | Promise<T | undefined>,
  { interval = 150, costFactor = 16, isBounded = false }: FollowOptions = {},
): AsyncGenerator<Awaited<T>, void, void> {
  let last: T | undefined;
  for (;;) {
    const { changed } = source;
    const start = performance.now();
    const value = await read();
    if (value !== undefined && value !== last) {
      last = value;
      yield value;
      // The consumer asks for the next value once it has drawn this one.
      const cost = performance.now() - start;
      const pause = isBounded ? pauseAfter(cost, interval, costFactor) : Math.max(interval, (costFactor - 1) * cost);
      const until = performance.now() + pause;
      do await delay(interval);
      while (performance.now() < until && !source.isIdle);
    }
    if ((source.isFinal ?? source.isOver) && changed === source.changed) return;
    await changed;
  }
}

/** Calls `show` now and after each change, until the last one, or until the node has left the page. */
export async function updateWhileShown(source: ChangeSource, node: Node, show: () => void): Promise<void> {
  let wasShown = false;
  for (;;) {
    const { changed } = source;
    wasShown ||= node.isConnected;
    if (wasShown && !node.isConnected) return;
    show();
    if (source.isOver && changed === source.changed) return;
    await changed;
  }
}

/** Notifies waiting code of changes. */
export class ChangeSignal implements ChangeSource {
  isOver = false;
  #settle = () => {};
  #changed = this.#next();

  get changed(): Promise<void> {
    return this.#changed;
  }

  /** Resolves the current `changed`. */
  notify(): void {
    const settle = this.#settle;
    this.#changed = this.#next();
    settle();
  }

  /** Notifies of the last change. */
  end(): void {
    this.isOver = true;
    this.notify();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
