import { extent } from "d3-array";

/**
 * Returns the domain of an axis: the range of its finite numbers, widened evenly to at least `minSpan`.
 */
export function axisRange(numbers: Iterable<number>, minSpan: number): [low: number, high: number] {
  const [low, high] = extent(Array.from(numbers).filter(Number.isFinite));
  if (low === undefined) return [0, minSpan];
  const padding = Math.max(0, minSpan - (high - low)) / 2;
  return [low - padding, high + padding];
}
