/** The indices of at most so many of a number of things, ascending and evenly apart. */
export function evenChoice(count: number, most: number): Uint32Array {
  const chosen = Math.min(count, most);
  return Uint32Array.from({ length: chosen }, (_, i) => Math.floor((i * count) / chosen));
}
