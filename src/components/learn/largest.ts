/** Returns the largest absolute difference between elements of two arrays at the same index; 0 where they are empty. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]));
  return largest;
}

/** Returns the index of the largest value, the first of several; 0 where there are none. */
export function indexOfLargest(values: ArrayLike<number>): number {
  let index = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[index]) index = i;
  return index;
}
