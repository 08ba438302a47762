import { closest, distance } from "fastest-levenshtein";

/** Returns the name that was probably meant; undefined if more than a few letters would have to change. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const nearest = closest(name, names);
  return distance(name, nearest) <= Math.min(3, nearest.length - 1) ? nearest : undefined;
}
