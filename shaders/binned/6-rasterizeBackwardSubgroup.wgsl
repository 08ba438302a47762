// Stage 6 with subgroups: four neighbouring threads sum their pixels before workgroup memory holds the partial sums. It
// runs only if shared/neighbours.wgsl found that lanes follow local_invocation_index. CPU reference: differentiate
// in src/engine/model/rasterize.ts.
enable subgroups;
#import binned/rasterizeBackward.wgsl

const PARTIALS = THREADS / 4u;
// Chosen so that no two partial sums are written to the same bank of workgroup memory.
const STRIDE = 36u;
// Their rows are about as many as threads.
const BLOBS = 6u;

// In each of two exchanges a thread keeps half of its values and sends the others, so it ends with two of the eight;
// the ninth is summed in all four threads.
fn storePartials(b: u32, localIndex: u32, sum: Slot) {
  let isOdd = (localIndex & 1u) != 0u;
  let isHigh = (localIndex & 2u) != 0u;
  let four = select(sum.a, sum.b, isOdd) + subgroupShuffleXor(select(sum.b, sum.a, isOdd), 1u);
  let two = select(four.xy, four.zw, isHigh) + subgroupShuffleXor(select(four.zw, four.xy, isHigh), 2u);
  let half = sum.c + subgroupShuffleXor(sum.c, 1u);
  let ninth = half + subgroupShuffleXor(half, 2u);
  let part = localIndex / 4u;
  storePartial(b, select(0u, 2u, isOdd) + select(0u, 1u, isHigh), part, two);
  if (localIndex % 4u == 0u) {
    storePartial(b, ROWS - 1u, part, vec2f(ninth, 0.0));
  }
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  differentiateSegment(dispatch.first + linearWorkgroup(workgroup), localIndex);
}
