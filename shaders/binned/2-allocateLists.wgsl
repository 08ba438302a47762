// Stage 2: allocates each tile's range of the list buffer and its segments; one thread per tile. CPU reference:
// binBlobs in src/engine/model/tileLists.ts.
#import binned/allocation.wgsl

@group(0) @binding(21) var<storage, read_write> shardStarts: array<u32>;

override THREADS: u32 = 32;

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = linearWorkgroup(workgroup) * THREADS + localIndex;
  if (!hasList(tile)) {
    return;
  }
  var count = 0u;
  for (var shard = 0u; shard < SHARDS; shard++) {
    count += status.tiles[shard * dispatch.end + tile];
  }
  var start = allocateList(tile, count);
  for (var shard = 0u; shard < SHARDS; shard++) {
    shardStarts[shardStart(tile, shard)] = start;
    let counter = shard * dispatch.end + tile;
    start += status.tiles[counter];
    // Reset for the next step.
    status.tiles[counter] = 0u;
  }
  shardStarts[shardStart(tile, SHARDS)] = start;
}
