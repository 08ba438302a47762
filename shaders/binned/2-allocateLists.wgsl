// Stage 2: gives each tile its part of the list buffer and its segments; a thread a tile.
// Twin: src/engine/model/binned/2-allocateLists.ts.
#import binned/allocation.wgsl

@group(0) @binding(21) var<storage, read_write> copyStarts: array<u32>;

override THREADS: u32 = 32;

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = linearWorkgroup(workgroup) * THREADS + localIndex;
  if (!hasList(tile)) {
    return;
  }
  var count = 0u;
  for (var copy = 0u; copy < COPIES; copy++) {
    count += status.tiles[copy * dispatch.end + tile];
  }
  var start = allocateList(tile, count);
  for (var copy = 0u; copy < COPIES; copy++) {
    copyStarts[copyStart(tile, copy)] = start;
    let counter = copy * dispatch.end + tile;
    start += status.tiles[counter];
    // The count begins anew.
    status.tiles[counter] = 0u;
  }
  copyStarts[copyStart(tile, COPIES)] = start;
}
