/** Returns a generator of numbers in [0, 1) that float32 holds exactly: the top 24 bits of mulberry32 (Tommy Ettinger). */
export function uniformGenerator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 8) / 2 ** 24;
  };
}
