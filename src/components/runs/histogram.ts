/**
 * Returns the fractions of values in bins of equal width, or of equal ratio on a logarithmic axis.
 * @param domain the ends of the axis, above 0 on a logarithmic one
 * @returns the bins with their ends, and the fractions of the values below the axis (or NaN) and above it
 */
export function histogram(values: ArrayLike<number>, [low, high]: [number, number], bins: number, isLog = false) {
  const scale = isLog ? Math.log : (value: number) => value;
  const unscale = isLog ? Math.exp : (value: number) => value;
  const [first, last] = [scale(low), scale(high)];
  const counts = new Uint32Array(bins);
  let [below, above] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value > high) above++;
    else if (value >= low) counts[Math.min(bins - 1, Math.floor((bins * (scale(value) - first)) / (last - first)))]++;
    else below++;
  }
  const total = Math.max(1, values.length);
  const end = (bin: number) => unscale(first + (bin * (last - first)) / bins);
  return {
    bins: Array.from(counts, (n, bin) => ({ low: end(bin), high: end(bin + 1), fraction: n / total })),
    below: below / total,
    above: above / total,
  };
}

/** Maximum number of values that are sorted; of more, every n-th is. */
const maxSorted = 20_000;

/** Returns the range of all values but a fraction, half of it at each end; undefined if there are none. */
export function quantileRange(values: ArrayLike<number>[], omittedFraction: number): [number, number] | undefined {
  const total = values.reduce((sum, { length }) => sum + length, 0);
  const stride = Math.max(1, Math.ceil(total / maxSorted));
  const sampled: number[] = [];
  for (const some of values) {
    for (let i = 0; i < some.length; i += stride) if (Number.isFinite(some[i])) sampled.push(some[i]);
  }
  if (sampled.length === 0) return undefined;
  const sorted = Float32Array.from(sampled).sort();
  const quantile = (fraction: number) => sorted[Math.round(fraction * (sorted.length - 1))];
  return [quantile(omittedFraction / 2), quantile(1 - omittedFraction / 2)];
}
