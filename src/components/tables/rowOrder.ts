/** Bits of a key that a pass sorts by: three passes for all 32. */
const bits = 11;
const buckets = 2 ** bits;

/**
 * Row numbers in the order of a column, ties in ascending row; what is no number comes last, whichever way. By its bits,
 * from the lowest, so that millions of rows take no longer than a moment.
 */
export function rowOrder(values: Float32Array, isDescending: boolean): Uint32Array<ArrayBuffer> {
  const keys = sortableKeys(values, isDescending);
  let order = new Uint32Array(values.length);
  for (let row = 0; row < order.length; row++) order[row] = row;
  let sorted = new Uint32Array(order.length);
  for (let shift = 0; shift < 32; shift += bits) {
    const places = new Uint32Array(buckets);
    for (let row = 0; row < keys.length; row++) places[(keys[row] >>> shift) & (buckets - 1)]++;
    let place = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const count = places[bucket];
      places[bucket] = place;
      place += count;
    }
    for (let i = 0; i < order.length; i++) sorted[places[(keys[order[i]] >>> shift) & (buckets - 1)]++] = order[i];
    [order, sorted] = [sorted, order];
  }
  return order;
}

/** The values as whole numbers that have the same order, or the opposite one. */
function sortableKeys(values: Float32Array, isDescending: boolean): Uint32Array {
  // Adding 0 makes one zero of the two that there are.
  const keys = new Uint32Array(values.map((value) => value + 0).buffer);
  for (let row = 0; row < keys.length; row++) {
    const bits = keys[row];
    const ascending = bits & 0x80000000 ? ~bits : bits | 0x80000000;
    keys[row] = Number.isNaN(values[row]) ? 0xffffffff : isDescending ? ~ascending : ascending;
  }
  return keys;
}
