// Stage 2: gives each tile its part of the list buffer and its segments; a thread a tile.
// Twin: src/engine/model/binned/2-allocateLists.ts.
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
    // The count begins anew.
    status.tiles[counter] = 0u;
  }
  shardStarts[shardStart(tile, SHARDS)] = start;
}
