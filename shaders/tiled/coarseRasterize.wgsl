// Stage 2: gathers the blobs in a window of indices that have bounds overlapping the tile. CPU reference:
// coarseRasterize in src/engine/model/shortList.ts.
#import tiled/initShortList.wgsl
#import shared/parameters.wgsl

// Blob indices from start to end, exclusive.
struct Window {
  start: u32,
  end: u32,
}

fn coarseRasterize(_list: InitializedShortList, window: Window, tile: OrientedBox, localIndex: u32) -> FilledShortList { //@ gather.begin
  workgroupBarrier();
  for (var i = window.start + localIndex; i < window.end; i += WORKGROUP_SIZE) { //@ gather.stride
    if (intersects(blobBounds(loadBlob(i)), tile)) { //@ gather.test
      let slot = atomicAdd(&sh_blobCountAtomic, 1u); //@ gather.count
      if (slot < GAUSSIANS_PER_BLOCK) {
        sh_blobs[slot] = i; //@ gather.store
      }
    }
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_blobCount = atomicLoad(&sh_blobCountAtomic); //@ gather.end
  }
  workgroupBarrier();
  return FilledShortList();
}
