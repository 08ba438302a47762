// Stage 7: adds up each blob's slots, always in the same order, and takes Adam's step; some threads a blob.
#import binned/slots.wgsl
#import binned/support.wgsl
#import shared/adam.wgsl

// Whether to take the step, or to leave the gradient alone.
override UPDATE: bool = true;

@group(0) @binding(3) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(11) var<storage, read> pairs: array<Pair>;
@group(0) @binding(15) var<storage, read> slots: array<Slot>;
@group(0) @binding(16) var<storage, read_write> status: Status;
@group(0) @binding(17) var<storage, read> blobPairs: array<BlobPairs>;

fn update(i: u32, field: u32, gradient: f32) {
  let slot = field * job.blobCount + i;
  gradients[slot] = gradient;
  if (UPDATE) {
    adam(slot, gradient);
  }
}

const THREADS = 64u;
// More where blobs are few, since they are large then.
override THREADS_PER_BLOB: u32 = 8;

var<workgroup> sh_sums: array<Slot, THREADS>;

fn add(a: Slot, b: Slot) -> Slot {
  return Slot(a.a + b.a, a.b + b.b, a.c + b.c);
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let member = localIndex % THREADS_PER_BLOB;
  let i = (linearWorkgroup(workgroup, workgroups) * THREADS + localIndex) / THREADS_PER_BLOB;
  let alive = i < job.blobCount && atomicLoad(&status.halted) == 0u;
  var sum = Slot();
  if (alive) {
    let own = blobPairs[i];
    for (var k = member; k < min(own.count, 32u); k += THREADS_PER_BLOB) {
      if (((own.met >> k) & 1u) != 0u) {
        sum = add(sum, slots[own.first + k]);
      }
    }
    // The threads of a blob divide 32.
    for (var k = 32u + member; k < own.count; k += THREADS_PER_BLOB) {
      if (pairs[own.first + k].tile != NO_TILE) {
        sum = add(sum, slots[own.first + k]);
      }
    }
  }
  sh_sums[localIndex] = sum;
  workgroupBarrier();
  if (!alive || member != 0u) {
    return;
  }
  for (var other = 1u; other < THREADS_PER_BLOB; other++) {
    sum = add(sum, sh_sums[localIndex + other]);
  }
  if (i == 0u && UPDATE) {
    // For the lists of the next step.
    status.steps++;
    atomicStore(&status.pairs, 0u);
    atomicStore(&status.entries, 0u);
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
