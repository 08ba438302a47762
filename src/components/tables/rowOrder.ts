/** Bits of a key per pass; three passes cover all 32. */
const bits = 11;
const buckets = 2 ** bits;

/**
 * Returns row numbers in the order of a column, ties in ascending order; NaN comes last in either direction. A radix
 * sort, since millions of rows must not take long.
 */
export function rowOrder(values: Float32Array, isDescending: boolean): Uint32Array<ArrayBuffer> {
  const keys = sortableKeys(values, isDescending);
  let order = new Uint32Array(values.length);
  for (let row = 0; row < order.length; row++) order[row] = row;
  let sorted = new Uint32Array(order.length);
  for (let shift = 0; shift < 32; shift += bits) {
    const offsets = new Uint32Array(buckets);
    for (let row = 0; row < keys.length; row++) offsets[(keys[row] >>> shift) & (buckets - 1)]++;
    let offset = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const count = offsets[bucket];
      offsets[bucket] = offset;
      offset += count;
    }
    for (let i = 0; i < order.length; i++) sorted[offsets[(keys[order[i]] >>> shift) & (buckets - 1)]++] = order[i];
    [order, sorted] = [sorted, order];
  }
  return order;
}

/** Returns the values as unsigned integers of the same or the opposite order. */
function sortableKeys(values: Float32Array, isDescending: boolean): Uint32Array {
  // Adding 0 turns −0 into 0.
  const keys = new Uint32Array(values.map((value) => value + 0).buffer);
  for (let row = 0; row < keys.length; row++) {
    const bits = keys[row];
    const ascending = bits & 0x80000000 ? ~bits : bits | 0x80000000;
    keys[row] = Number.isNaN(values[row]) ? 0xffffffff : isDescending ? ~ascending : ascending;
  }
  return keys;
}
