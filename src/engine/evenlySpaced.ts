/** The indices of at most so many of a number of things, ascending and evenly apart. */
export function evenlySpacedIndices(count: number, limit: number): Uint32Array {
  const size = Math.min(count, limit);
  return Uint32Array.from({ length: size }, (_, i) => Math.floor((i * count) / size));
}
