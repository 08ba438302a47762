// Stage 2: gives each tile its part of the list buffer and its segments; a thread a tile.
// Twin: src/engine/model/binned/2-allocateLists.ts.
#import binned/allocation.wgsl

@group(0) @binding(21) var<storage, read_write> copyStarts: array<u32>;

const LONG_LIST = 256u;

override THREADS: u32 = 32;

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = linearWorkgroup(workgroup) * THREADS + localIndex;
  if (!hasList(tile)) {
    return;
  }
  var count = 0u;
  for (var copy = 0u; copy < COPIES; copy++) {
    count += status.tileCounts[copy * dispatch.endWorkgroup + tile];
  }
  var start = allocateList(tile, count);
  // Long lists come first, so that no workgroup begins one when all others are done; the others from the back.
  if (count > LONG_LIST) {
    tileOrder[atomicAdd(&status.longTiles, 1u)] = tile;
  } else {
    tileOrder[dispatch.endWorkgroup - 1u - atomicAdd(&status.shortTiles, 1u)] = tile;
  }
  for (var copy = 0u; copy < COPIES; copy++) {
    copyStarts[copyStart(tile, copy)] = start;
    let counter = copy * dispatch.endWorkgroup + tile;
    start += status.tileCounts[counter];
    // The count begins anew.
    status.tileCounts[counter] = 0u;
  }
  copyStarts[copyStart(tile, COPIES)] = start;
}
