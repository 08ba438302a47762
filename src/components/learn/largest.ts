/** Returns the index of the largest value, the first of several; 0 where there are none. */
export function indexOfLargest(values: ArrayLike<number>): number {
  let index = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[index]) index = i;
  return index;
}
