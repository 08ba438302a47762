/**
 * Returns the domain of an axis: the range of its finite numbers, widened evenly to at least `minSpan`.
 */
export function axisRange(numbers: Iterable<number>, minSpan: number): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (!Number.isFinite(number)) continue;
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  if (low > high) return [0, minSpan];
  const padding = Math.max(0, minSpan - (high - low)) / 2;
  return [low - padding, high + padding];
}
