// Stage 6 without subgroups: each pixel's part of a value waits in workgroup memory to be summed.
#import binned/rasterizeBackward.wgsl

const PARTS = THREADS;
// One more than the parts take, so that no two rows begin in the same bank of workgroup memory.
const ROW = PARTS / 4u + 1u;
// Workgroup memory decides how many workgroups are at work at once.
const BLOBS = 3u;

fn keepParts(b: u32, localIndex: u32, sum: Slot) {
  let row = PARAMETER_COUNT * b;
  keepPart(row, localIndex, sum.a.x);
  keepPart(row + 1u, localIndex, sum.a.y);
  keepPart(row + 2u, localIndex, sum.a.z);
  keepPart(row + 3u, localIndex, sum.a.w);
  keepPart(row + 4u, localIndex, sum.b.x);
  keepPart(row + 5u, localIndex, sum.b.y);
  keepPart(row + 6u, localIndex, sum.b.z);
  keepPart(row + 7u, localIndex, sum.b.w);
  keepPart(row + 8u, localIndex, sum.c);
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  takeSegment(linearWorkgroup(workgroup, workgroups), localIndex);
}
