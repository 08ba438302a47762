/**
 * The shares of values in bins of one width, or of one ratio on a logarithmic axis.
 * @param domain the axis's ends; of a logarithmic one above 0
 * @returns lower and upper ends of the bins, and the share of all values in each; and the shares of the values that the
 * axis does not hold: smaller, larger, or no numbers
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
    bins: Array.from(counts, (n, bin) => ({ low: end(bin), high: end(bin + 1), share: n / total })),
    below: below / total,
    above: above / total,
  };
}

/** Values that are sorted for the ends of an axis, at most: an even choice among more has about the same. */
const maxSorted = 20_000;

/** The values between which all but a share of them lie, half of it on each side; undefined where there are none. */
export function quantileRange(values: ArrayLike<number>[], omittedFraction: number): [number, number] | undefined {
  const total = values.reduce((sum, { length }) => sum + length, 0);
  const stride = Math.max(1, Math.ceil(total / maxSorted));
  const sampled: number[] = [];
  for (const some of values) {
    for (let i = 0; i < some.length; i += stride) if (Number.isFinite(some[i])) sampled.push(some[i]);
  }
  if (sampled.length === 0) return undefined;
  const sorted = Float32Array.from(sampled).sort();
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))];
  return [quantile(omittedFraction / 2), quantile(1 - omittedFraction / 2)];
}
