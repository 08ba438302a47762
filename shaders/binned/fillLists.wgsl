// Stage 3: puts each pair into its tile's list; a thread a pair.
#import binned/lists.wgsl
#import binned/support.wgsl

@group(0) @binding(11) var<storage, read_write> pairs: array<Pair>;
@group(0) @binding(21) var<storage, read> copyStarts: array<u32>;
// Blob and pair of each entry.
@group(0) @binding(22) var<storage, read_write> unsorted: array<vec2u>;
@group(0) @binding(16) var<storage, read_write> status: Status;

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let i = linearWorkgroup(workgroup, workgroups) * 128u + localIndex;
  if (atomicLoad(&status.halted) != 0u || i >= atomicLoad(&status.pairs)) {
    return;
  }
  let pair = pairs[i];
  if (pair.tile != NO_TILE) {
    unsorted[copyStarts[pair.tile * (COPIES + 1u) + copyOf(pair.blob)] + pair.position] = vec2u(pair.blob, i);
  }
}
