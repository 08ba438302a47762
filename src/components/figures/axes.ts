import { ticks } from "d3-array";
import { logTicks } from "../runs/logScale.js";

/** A setting or a result of a run; undefined if it is unknown. */
export type AxisValue = number | string | undefined;

/** Settings and results of a run, by the names of their axes. */
export type AxisRow = Readonly<Record<string, AxisValue>>;

/** The axis of a setting or a result. */
export interface Axis {
  name: string;
  /** "point" for texts. */
  type: "linear" | "log" | "point";
  /** The ends, or all texts in the order of the runs. */
  domain: readonly (number | string)[];
}

/** Returns the axis of a column: logarithmic if its numbers are positive and span at least a factor of ten. */
export function axisOf(name: string, rows: readonly AxisRow[]): Axis {
  const values = rows.flatMap((row) => row[name] ?? []);
  if (!values.every((value) => typeof value === "number")) return { name, type: "point", domain: [...new Set(values)] };
  const finite = values.filter(Number.isFinite);
  const [low, high] = finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [0, 0];
  return { name, type: low > 0 && high >= 10 * low ? "log" : "linear", domain: [low, high] };
}

/** Returns the values at which an axis has a tick. */
export function ticksOf({ type, domain }: Axis): (number | string)[] {
  if (type === "point") return [...domain];
  const [low, high] = domain as [number, number];
  if (low === high) return [low];
  const inner: number[] = type === "log" ? logTicks(low, high) : ticks(low, high, 5);
  return inner.length > 1 ? inner : [low, high];
}
