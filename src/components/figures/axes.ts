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
  isFlipped: boolean;
}

/** The names of axes that a chart shows, those with a logarithmic scale, and those that are flipped. */
export interface AxisChoice {
  shown: string[];
  log: string[];
  flipped: string[];
}

/** Returns the axis of a column. */
export function axisOf(name: string, rows: readonly AxisRow[], { log, flipped }: Omit<AxisChoice, "shown">): Axis {
  const values = rows.flatMap((row) => row[name] ?? []);
  const isFlipped = flipped.includes(name);
  if (!values.every((value) => typeof value === "number")) {
    return { name, type: "point", domain: [...new Set(values)], isFlipped };
  }
  const finite = values.filter(Number.isFinite);
  const numbers = finite.length > 0 ? finite : [0];
  const isLog = log.includes(name) && canBeLog(name, rows);
  return { name, type: isLog ? "log" : "linear", domain: [Math.min(...numbers), Math.max(...numbers)], isFlipped };
}

/** Returns whether all values of a column are positive numbers. */
export function canBeLog(name: string, rows: readonly AxisRow[]): boolean {
  return rows.every((row) => row[name] === undefined || (typeof row[name] === "number" && row[name] > 0));
}

/** Returns whether the numbers of a column span at least a factor of ten. */
export function isWide(name: string, rows: readonly AxisRow[]): boolean {
  const [low, high] = axisOf(name, rows, { log: [name], flipped: [] }).domain;
  return canBeLog(name, rows) && Number(high) >= 10 * Number(low);
}

/** Returns where a value is on an axis, from 0 at its start to 1 at its end; undefined if it is not on the axis. */
export function positionOn({ type, domain, isFlipped }: Axis, value: AxisValue): number | undefined {
  if (value === undefined) return undefined;
  const transform = (number: unknown) => (type === "log" ? Math.log(number as number) : (number as number));
  const [low, high] = type === "point" ? [0, domain.length - 1] : domain.map(transform);
  const at = type === "point" ? domain.indexOf(value as string) : transform(value);
  const position = high === low ? 0.5 : (at - low) / (high - low);
  if (!(position >= 0 && position <= 1)) return undefined;
  return isFlipped ? 1 - position : position;
}

/** Returns the values at which an axis has a tick. */
export function ticksOf({ type, domain }: Axis): (number | string)[] {
  if (type === "point") return [...domain];
  const [low, high] = domain as [number, number];
  if (low === high) return [low];
  const inner: number[] = type === "log" ? logTicks(low, high) : ticks(low, high, 5);
  return inner.length > 1 ? inner : [low, high];
}
