/** Returns the median of some numbers. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the median of each number, by the names in the first record; undefined if there are none. */
export function mediansByName(records: Record<string, number>[]): Record<string, number> | undefined {
  const names = Object.keys(records[0] ?? {});
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, median(records.map((record) => record[name]))]));
}
