// Sums a blob's slots in order, as the binned pipeline does; each thread repeats the same sum.
#import binned/updateBlobs.wgsl

override SLOTS: u32 = 1;

@group(0) @binding(21) var<storage, read_write> sums: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) thread: vec3u) {
  var sum = Slot();
  for (var k = 0u; k < SLOTS; k++) {
    sum = addSlot(sum, k);
  }
  if (thread.x < arrayLength(&sums)) {
    sums[thread.x] = sum.c;
  }
}
