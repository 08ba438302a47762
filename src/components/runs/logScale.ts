import { extent } from "d3-array";
import { powerOfTen, tickText } from "../page/numberText.js";

/** Returns ticks of a logarithmic axis: powers of ten, and multiples of them if there are few. */
export function logTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const powers = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  const ticksOf = (factors: number[]) =>
    powers.flatMap((power) => factors.map((factor) => factor * power)).filter((tick) => tick >= low && tick <= high);
  if (last - first > 3) return ticksOf([1]);
  const factorLists = [[1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9], Array.from({ length: 18 }, (_, i) => 1 + i / 2)];
  return factorLists.map(ticksOf).find(({ length }) => length > 1) ?? ticksOf(factorLists[2]);
}

/** Maximum decades of a logarithmic axis: smaller values have no effect next to the largest. */
const maxDecades = 9;

/** Returns the domain of a logarithmic axis, and whether it omits smaller values. */
export function clippedDomain([low, high]: readonly [number, number]): {
  domain: [number, number];
  isClipped: boolean;
} {
  const minimum = 10 ** Math.ceil(Math.log10(high) - maxDecades);
  return { domain: [Math.max(low, minimum), high], isClipped: low < minimum };
}

/** Returns a logarithmic scale for the positive values. Its label names the limit if it omits smaller ones. */
export function clippedScale(values: Iterable<number>, label: string) {
  const [low, high] = extent(Array.from(values).filter((value) => value > 0 && Number.isFinite(value)));
  if (low === undefined) return { type: "linear" as const, domain: [0, 1], ticks: [0], label, tickFormat: tickText };
  const { domain, isClipped } = clippedDomain([low / 1.1, high * 1.1]);
  const labelText = isClipped ? `${label}, cut off below ${powerOfTen(Math.round(Math.log10(domain[0])))}` : label;
  const ticks = logTicks(...domain);
  return { type: "log" as const, domain, clamp: true, ticks, label: labelText, tickFormat: tickText };
}

/** Returns the next of 1, 2, 5, 10, 20 …, for the end of an axis that should rarely change. */
export function roundedUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9))!;
}
