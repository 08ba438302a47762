/** What is taken of a run at one step. */
interface AtStep {
  state: { step: number };
}

/** Looks that are kept of a run at most, and the bytes that they may have together. */
const defaultLimits = { inspections: 64, bytes: 128 * 2 ** 20 };

/**
 * The steps of a run to which its reader can go back: looks that were taken, the first and the latest among them. Where
 * they are too many, or too large together, those go whose neighbours are nearest, by the roots of their steps, so that
 * the beginning, where most happens, stays dense. A look that is larger than all the room is not kept.
 */
export class InspectionHistory<Inspection extends AtStep> {
  /** By ascending step. */
  inspections: readonly Inspection[] = [];
  readonly #bytes = new WeakMap<Inspection, number>();

  constructor(readonly limits = defaultLimits) {}

  add(inspection: Inspection): void {
    this.#bytes.set(inspection, bytesOf(inspection));
    // After a lost device steps come again.
    const inspections = [...this.inspections.filter(({ state }) => state.step < inspection.state.step), inspection];
    while (inspections.length > this.limits.inspections || this.#sum(inspections) > this.limits.bytes)
      inspections.splice(leastNeeded(inspections), 1);
    this.inspections = inspections;
  }

  clear(): void {
    this.inspections = [];
  }

  #sum(inspections: readonly Inspection[]): number {
    return inspections.reduce((sum, inspection) => sum + this.#bytes.get(inspection)!, 0);
  }
}

/** Where among looks the one stands that leaves the smallest gap; of two the first goes. */
function leastNeeded(inspections: readonly AtStep[]): number {
  const positions = inspections.map(({ state }) => Math.sqrt(state.step));
  const gap = (at: number) => positions[at + 1] - positions[at - 1];
  let least = inspections.length > 2 ? 1 : 0;
  for (let at = 2; at < inspections.length - 1; at++) if (gap(at) < gap(least)) least = at;
  return least;
}

/** The bytes of all typed arrays within. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + bytesOf(item), 0);
}
