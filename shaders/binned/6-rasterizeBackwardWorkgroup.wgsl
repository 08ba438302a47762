// Stage 6 without subgroups: each pixel's part of a value waits in workgroup memory to be summed.
#import binned/rasterizeBackward.wgsl

const PARTS = THREADS;
// Odd, so that no two parts are written into the same bank of workgroup memory.
const STRIDE = ROWS * BLOBS;
// Workgroup memory decides how many workgroups are at work at once.
const BLOBS = 3u;

fn keepParts(b: u32, localIndex: u32, sum: Slot) {
  let rows = array(sum.a.xy, sum.a.zw, sum.b.xy, sum.b.zw, vec2f(sum.c, 0.0));
  for (var row = 0u; row < ROWS; row++) {
    keepPart(b, row, localIndex, rows[row]);
  }
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  passSegment(dispatch.first + linearWorkgroup(workgroup), localIndex);
}
