// Gathers the short-list of one tile, and leaves it in the order in which its blobs arrived.
#import tiled/coarseRasterize.wgsl

// How many blobs there are, and those of them that fit.
@group(0) @binding(9) var<storage, read_write> arrived: array<u32>;

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let mapping = calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize));
  let tile = dispatch.firstWorkgroup;
  let bounds = tileBounds(threadPlace(tile, localIndex, dispatch.renderSize).origin, mapping);
  let list = coarseRasterize(initShortList(localIndex), Window(0u, job.blobCount), bounds, localIndex);
  if (localIndex == 0u) {
    arrived[0] = sh_blobCount + list.token;
  }
  for (var i = localIndex; i < min(sh_blobCount, GAUSSIANS_PER_BLOCK); i += WORKGROUP_SIZE) {
    arrived[i + 1u] = sh_blobs[i];
  }
}
