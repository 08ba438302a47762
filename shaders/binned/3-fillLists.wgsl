// Stage 3: writes each intersection into its tile's list; one thread per intersection. CPU reference: binBlobs in
// src/engine/model/tileLists.ts.
#import binned/lists.wgsl

@group(0) @binding(11) var<storage, read> intersections: array<Intersection>;
@group(0) @binding(16) var<storage, read> status: FinalStatus;
@group(0) @binding(21) var<storage, read> shardStarts: array<u32>;
// Blob of each entry; its intersection and shard.
@group(0) @binding(22) var<storage, read_write> keys: array<u32>;
@group(0) @binding(24) var<storage, read_write> sources: array<vec2u>;

@compute @workgroup_size(128)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let i = linearWorkgroup(workgroup) * 128u + localIndex;
  if (status.overflowed != 0u || i >= status.intersections) {
    return;
  }
  let intersection = intersections[i];
  if (intersection.shard != NO_SHARD) {
    let at = shardStarts[intersection.shard] + intersection.position;
    keys[at] = intersection.blob;
    sources[at] = vec2u(i, intersection.shard);
  }
}
