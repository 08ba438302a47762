import { pauseAfter } from "./pacing.js";

/** Something that changes while a page looks at it, such as a run. */
export interface ChangeSource {
  /** Resolves at the next change. */
  readonly changed: Promise<void>;
  /** Whether it will change no more. */
  readonly isOver: boolean;
  /** Whether nothing is in progress, so that its state is shown without delay. */
  readonly isIdle?: boolean;
}

export interface FollowOptions {
  /** Milliseconds between two values, at the least. */
  interval?: number;
  /** What follows from a value takes at most about one part in this many of the time. */
  costFactor?: number;
  /** Whether there is a value a second nevertheless, see `pauseAfter`. */
  isBounded?: boolean;
}

/**
 * The values of something that changes, for a cell: the present one and then each later one that is not the same, the
 * latest where there were several meanwhile. Nobody who does not ask is told: a hidden tab holds nothing up.
 * @param read undefined as long as there is no value
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
      // Asked for again: what follows from the value has been drawn.
      const cost = performance.now() - start;
      const pause = isBounded ? pauseAfter(cost, interval, costFactor) : Math.max(interval, (costFactor - 1) * cost);
      const until = performance.now() + pause;
      do await delay(interval);
      while (performance.now() < until && !source.isIdle);
    }
    if (source.isOver && changed === source.changed) return;
    await changed;
  }
}

/** Calls now and after each change, until there is none to come or the node, once shown, has left the page. */
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

/** A change that others wait for. */
export class ChangeSignal implements ChangeSource {
  isOver = false;
  #settle = () => {};
  #changed = this.#next();

  get changed(): Promise<void> {
    return this.#changed;
  }

  /** Lets those go on who wait. */
  notify(): void {
    const settle = this.#settle;
    this.#changed = this.#next();
    settle();
  }

  /** The same, for the last time. */
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
