// Stage 7: adds up each blob's slots in their order, and takes Adam's step; a thread a blob.
#import binned/slots.wgsl
#import shared/adam.wgsl

// Whether to take the step, or to leave the gradient alone.
override UPDATE: bool = true;

@group(0) @binding(3) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(15) var<storage, read> slots: array<Slot>;
@group(0) @binding(16) var<storage, read_write> status: Status;
// The head of Segments.
@group(0) @binding(18) var<storage, read_write> segmentCount: u32;
@group(0) @binding(17) var<storage, read> blobPairs: array<vec2u>;

fn update(i: u32, field: u32, gradient: f32) {
  let slot = field * job.blobCount + i;
  gradients[slot] = gradient;
  if (UPDATE) {
    adam(slot, gradient);
  }
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let i = linearWorkgroup(workgroup, workgroups) * 64u + localIndex;
  if (atomicLoad(&status.halted) != 0u || i >= job.blobCount) {
    return;
  }
  if (i == 0u && UPDATE) {
    // For the lists of the next step.
    status.steps++;
    atomicStore(&status.pairs, 0u);
    atomicStore(&status.entries, 0u);
    segmentCount = 0u;
  }
  let range = blobPairs[i];
  var sum = Slot();
  for (var k = range.x; k < range.x + range.y; k++) {
    let slot = slots[k];
    sum.a += slot.a;
    sum.b += slot.b;
    sum.c += slot.c;
  }
  let n = job.blobCount;
  let raw = Blob(
    vec2f(parameters[i], parameters[n + i]),
    vec2f(parameters[2u * n + i], parameters[3u * n + i]),
    parameters[4u * n + i],
    vec3f(parameters[5u * n + i], parameters[6u * n + i], parameters[7u * n + i]),
    parameters[8u * n + i],
  );
  let d = rawGradient(raw, sum);
  update(i, 0u, d.center.x);
  update(i, 1u, d.center.y);
  update(i, 2u, d.variance.x);
  update(i, 3u, d.variance.y);
  update(i, 4u, d.correlation);
  update(i, 5u, d.color.r);
  update(i, 6u, d.color.g);
  update(i, 7u, d.color.b);
  update(i, 8u, d.opacity);
}
