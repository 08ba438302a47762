/** Data of a run at one step. */
interface AtStep {
  state: { step: number };
}

/** Maximum number of inspections, and their maximum bytes in all. */
const defaultLimits = { inspections: 64, bytes: 128 * 2 ** 20 };

/**
 * The inspections of a run that its reader can go back to, with the first and the latest. Beyond the limits it drops the
 * inspection between the nearest neighbours, measured by the square roots of their steps. The beginning, where most
 * happens, therefore stays dense. An inspection that exceeds the limit by itself is dropped.
 */
export class InspectionHistory<Inspection extends AtStep> {
  /** By ascending step. */
  inspections: readonly Inspection[] = [];
  readonly #bytes = new WeakMap<Inspection, number>();

  constructor(readonly limits = defaultLimits) {}

  add(inspection: Inspection): void {
    this.#bytes.set(inspection, bytesOf(inspection));
    // Steps repeat after the device was lost.
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

/** Returns the index of the inspection that leaves the smallest gap; the earlier one of two equal gaps. */
function leastNeeded(inspections: readonly AtStep[]): number {
  const positions = inspections.map(({ state }) => Math.sqrt(state.step));
  const gap = (at: number) => positions[at + 1] - positions[at - 1];
  let least = inspections.length > 2 ? 1 : 0;
  for (let at = 2; at < inspections.length - 1; at++) if (gap(at) < gap(least)) least = at;
  return least;
}

/** Returns the bytes of all typed arrays in a value. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + bytesOf(item), 0);
}
