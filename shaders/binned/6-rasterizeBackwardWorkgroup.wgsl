// Stage 6 without subgroups: workgroup memory holds each pixel's values until they are summed. CPU reference:
// differentiate in src/engine/model/rasterize.ts.
#import binned/rasterizeBackward.wgsl

const PARTIALS = THREADS;
// Odd, so that no two values are written to the same bank of workgroup memory.
const STRIDE = ROWS * BLOBS;
// Few, because workgroup memory limits the number of resident workgroups.
const BLOBS = 3u;

fn storePartials(b: u32, localIndex: u32, sum: Slot) {
  let rows = array(sum.a.xy, sum.a.zw, sum.b.xy, sum.b.zw, vec2f(sum.c, 0.0));
  for (var row = 0u; row < ROWS; row++) {
    storePartial(b, row, localIndex, rows[row]);
  }
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  differentiateSegment(dispatch.first + linearWorkgroup(workgroup), localIndex);
}
