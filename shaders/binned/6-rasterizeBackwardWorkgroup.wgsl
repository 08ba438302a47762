// Stage 6 without subgroups: each pixel's part of a value waits in workgroup memory to be summed.
#import binned/6-rasterizeBackward.wgsl

const PARTS = THREADS;
// Odd, so that no two parts are written into the same bank of workgroup memory.
const STRIDE = PARAMETER_COUNT * BLOBS;
// Workgroup memory decides how many workgroups are at work at once.
const BLOBS = 3u;

fn keepParts(b: u32, localIndex: u32, sum: Slot) {
  let values = valuesOfSlot(sum);
  for (var v = 0u; v < PARAMETER_COUNT; v++) {
    keepPart(PARAMETER_COUNT * b + v, localIndex, values[v]);
  }
}
