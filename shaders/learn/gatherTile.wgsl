// The first two stages alone: gathers one tile's list in the order in which the threads appended to it, unsorted. For
// the test of the page on tiles. CPU reference: coarseRasterize in src/engine/model/shortList.ts.
#import tiled/coarseRasterize.wgsl

// Number of blobs that overlap the tile, then those that fit, in the order of their slots.
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
