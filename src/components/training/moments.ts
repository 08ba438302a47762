/** What is taken of a run at one step. */
interface AtStep {
  state: { step: number };
}

/** Looks that are kept of a run at most, and the bytes that they may have together. */
const most = { looks: 64, bytes: 128 * 2 ** 20 };

/**
 * The steps of a run to which its reader can go back: looks that were taken, the first and the latest among them. Where
 * they are too many, or too large together, those go whose neighbours are nearest, by the roots of their steps, so that
 * the beginning, where most happens, stays dense. A look that is larger than all the room is not kept.
 */
export class Moments<Look extends AtStep> {
  /** By ascending step. */
  looks: readonly Look[] = [];
  readonly #bytes = new WeakMap<Look, number>();

  constructor(readonly limits = most) {}

  keep(look: Look): void {
    this.#bytes.set(look, bytesOf(look));
    // After a lost device steps come again.
    const looks = [...this.looks.filter(({ state }) => state.step < look.state.step), look];
    while (looks.length > this.limits.looks || this.#sum(looks) > this.limits.bytes)
      looks.splice(leastMissed(looks), 1);
    this.looks = looks;
  }

  clear(): void {
    this.looks = [];
  }

  #sum(looks: readonly Look[]): number {
    return looks.reduce((sum, look) => sum + this.#bytes.get(look)!, 0);
  }
}

/** Where among looks the one stands that leaves the smallest gap; of two the first goes. */
function leastMissed(looks: readonly AtStep[]): number {
  const places = looks.map(({ state }) => Math.sqrt(state.step));
  const gap = (at: number) => places[at + 1] - places[at - 1];
  let least = looks.length > 2 ? 1 : 0;
  for (let at = 2; at < looks.length - 1; at++) if (gap(at) < gap(least)) least = at;
  return least;
}

/** The bytes of all typed arrays within. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + bytesOf(part), 0);
}
