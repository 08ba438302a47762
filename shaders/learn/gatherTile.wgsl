// The first two stages by themselves: gathers one tile's short-list and leaves it as the threads appended it, unsorted.
// For the figures of the page on tiles. Twin: coarseRasterize in src/engine/model/shortList.ts.
#import tiled/coarseRasterize.wgsl

// How many blobs meet the tile, and then as many of them as fit, in the order of their slots.
@group(0) @binding(9) var<storage, read_write> gathered: array<u32>;

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let bounds = tileBounds(threadPlace(dispatch.first, localIndex, dispatch.renderSize).origin, renderMapping());
  let filled = coarseRasterize(initShortList(localIndex), Window(0u, job.blobCount), bounds, localIndex);
  if (localIndex == 0u) {
    gathered[0] = sh_blobCount + filled.token;
  }
  for (var slot = localIndex; slot < min(sh_blobCount, GAUSSIANS_PER_BLOCK); slot += WORKGROUP_SIZE) {
    gathered[1u + slot] = sh_blobs[slot];
  }
}
