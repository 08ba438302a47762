// Stage 3: puts each pair into its tile's list; a thread a pair. Twin: src/engine/model/binned/3-fillLists.ts.
#import binned/lists.wgsl

@group(0) @binding(11) var<storage, read> pairs: array<Pair>;
@group(0) @binding(16) var<storage, read> status: FinalStatus;
@group(0) @binding(21) var<storage, read> shardStarts: array<u32>;
// Blob of each entry, then its pair and shard.
@group(0) @binding(22) var<storage, read_write> keys: array<u32>;
@group(0) @binding(24) var<storage, read_write> places: array<vec2u>;

@compute @workgroup_size(128)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let i = linearWorkgroup(workgroup) * 128u + localIndex;
  if (status.halted != 0u || i >= status.pairs) {
    return;
  }
  let pair = pairs[i];
  if (pair.shard != NO_SHARD) {
    let at = shardStarts[pair.shard] + pair.position;
    keys[at] = pair.blob;
    places[at] = vec2u(i, pair.shard);
  }
}
