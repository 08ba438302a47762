import { restAfter } from "./pacing.js";

/** Something that changes while a page looks at it, such as a run. */
export interface Followed {
  /** Resolves at the next change. */
  readonly changed: Promise<void>;
  /** Whether it will change no more. */
  readonly isOver: boolean;
  /** Whether nothing is in progress, so that its state is shown without delay. */
  readonly rests?: boolean;
}

export interface FollowOptions {
  /** Milliseconds between two values, at the least. */
  interval?: number;
  /** What follows from a value takes at most about one part in this many of the time. */
  share?: number;
  /** Whether there is a value a second nevertheless, see `restAfter`. */
  isBounded?: boolean;
}

/**
 * The values of something that changes, for a cell: the present one and then each later one that is not the same, the
 * latest where there were several meanwhile. Nobody who does not ask is told: a hidden tab holds nothing up.
 * @param read undefined as long as there is no value
 */
export async function* follow<T>(
  followed: Followed,
  read: () => T | undefined | Promise<T | undefined>,
  { interval = 150, share = 16, isBounded = false }: FollowOptions = {},
): AsyncGenerator<Awaited<T>, void, void> {
  let last: T | undefined;
  for (;;) {
    const { changed } = followed;
    const start = performance.now();
    const value = await read();
    if (value !== undefined && value !== last) {
      last = value;
      yield value;
      // Asked for again: what follows from the value has been drawn.
      const cost = performance.now() - start;
      const rest = isBounded ? restAfter(cost, interval, share) : Math.max(interval, (share - 1) * cost);
      const until = performance.now() + rest;
      do await after(interval);
      while (performance.now() < until && !followed.rests);
    }
    if (followed.isOver && changed === followed.changed) return;
    await changed;
  }
}

/** Calls now and after each change, until there is none to come or the node, once shown, has left the page. */
export async function whileFollowed(followed: Followed, node: Node, show: () => void): Promise<void> {
  let wasShown = false;
  for (;;) {
    const { changed } = followed;
    wasShown ||= node.isConnected;
    if (wasShown && !node.isConnected) return;
    show();
    if (followed.isOver && changed === followed.changed) return;
    await changed;
  }
}

/** A change that others wait for. */
export class Change implements Followed {
  isOver = false;
  #settle = () => {};
  #changed = this.#next();

  get changed(): Promise<void> {
    return this.#changed;
  }

  /** Lets those go on who wait. */
  tell(): void {
    const settle = this.#settle;
    this.#changed = this.#next();
    settle();
  }

  /** The same, for the last time. */
  end(): void {
    this.isOver = true;
    this.tell();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
