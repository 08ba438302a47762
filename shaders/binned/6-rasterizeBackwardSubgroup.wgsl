// Stage 6 where neighbouring threads exchange values: what waits in workgroup memory to be summed is that of four pixels.
enable subgroups;
#import binned/6-rasterizeBackward.wgsl

const PARTS = THREADS / 4u;
// That of one blob more, so that fewer parts are written into the same bank of workgroup memory.
const STRIDE = PARAMETER_COUNT * (BLOBS + 1u);
// As many values as two threads each.
const BLOBS = 7u;

// At each of two exchanges a thread keeps half of eight values and gives the others away, so that it ends with two; the
// ninth is summed in all four.
fn keepParts(b: u32, localIndex: u32, sum: Slot) {
  let isOdd = (localIndex & 1u) != 0u;
  let isHigh = (localIndex & 2u) != 0u;
  let four = select(sum.a, sum.b, isOdd) + subgroupShuffleXor(select(sum.b, sum.a, isOdd), 1u);
  let two = select(four.xy, four.zw, isHigh) + subgroupShuffleXor(select(four.zw, four.xy, isHigh), 2u);
  let pair = sum.c + subgroupShuffleXor(sum.c, 1u);
  let ninth = pair + subgroupShuffleXor(pair, 2u);
  let row = PARAMETER_COUNT * b;
  let first = row + select(0u, 4u, isOdd) + select(0u, 2u, isHigh);
  keepPart(first, localIndex / 4u, two.x);
  keepPart(first + 1u, localIndex / 4u, two.y);
  if (localIndex % 4u == 0u) {
    keepPart(row + 8u, localIndex / 4u, ninth);
  }
}
