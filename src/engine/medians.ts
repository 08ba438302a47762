/** The middle one of some numbers, or the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of each named number, by the names of the first; undefined where there are none. */
export function mediansByName(records: Record<string, number>[]): Record<string, number> | undefined {
  const names = Object.keys(records[0] ?? {});
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, median(records.map((record) => record[name]))]));
}
