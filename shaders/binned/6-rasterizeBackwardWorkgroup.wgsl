// Stage 6 without subgroups: each pixel's part of a value waits in workgroup memory to be summed.
#import binned/6-rasterizeBackward.wgsl

const PARTS = THREADS;
// Four more than the parts, so that no two rows begin in the same bank of workgroup memory.
const ROW = PARTS + 4u;
// Workgroup memory decides how many workgroups are at work at once.
const BLOBS = 3u;

fn keepParts(b: u32, localIndex: u32, sum: Slot) {
  let values = valuesOfSlot(sum);
  for (var v = 0u; v < PARAMETER_COUNT; v++) {
    keepPart(PARAMETER_COUNT * b + v, localIndex, values[v]);
  }
}
