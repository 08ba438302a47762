/** Returns at most `limit` evenly spaced indices below `count`, ascending. */
export function evenlySpacedIndices(count: number, limit: number): Uint32Array {
  const size = Math.min(count, limit);
  return Uint32Array.from({ length: size }, (_, i) => Math.floor((i * count) / size));
}
