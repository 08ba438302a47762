import * as Plot from "@observablehq/plot";
import { tickText } from "../page/numberText.js";

/** Ticks for a logarithmic axis: powers of ten, and twice and five times these, or more, where there are few. */
export function logTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const powers = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  const ticksOf = (factors: number[]) =>
    powers.flatMap((power) => factors.map((factor) => factor * power)).filter((tick) => tick >= low && tick <= high);
  if (last - first > 3) return ticksOf([1]);
  const closer = [[1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9], Array.from({ length: 18 }, (_, i) => 1 + i / 2)];
  return closer.map(ticksOf).find(({ length }) => length > 1) ?? ticksOf(closer[2]);
}

/** An axis mark with a text at each tick of a logarithmic scale; Plot's own axis leaves some of them without. */
export function logAxis(side: "x" | "y", ticks: number[]): Plot.Markish {
  const text = tickText as (tick: unknown) => string;
  return side === "x" ? Plot.axisX(ticks, { text }) : Plot.axisY(ticks, { text });
}

/** The next of 1, 2, 5, 10, 20 …: an axis that ends there moves seldom while its line grows. */
export function roundedUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9))!;
}
