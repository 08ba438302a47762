// Stage 3: fills the list's tail with a sentinel that sorts behind every blob; the sort needs a power of two.
// Twin: padBuffer in src/engine/model/shortList.ts.
#import tiled/initShortList.wgsl

const SENTINEL = 0xffffffffu;

fn padBuffer(_list: FilledShortList, localIndex: u32) -> PaddedShortList {
  for (var i = sh_blobCount + localIndex; i < GAUSSIANS_PER_BLOCK; i += WORKGROUP_SIZE) {
    sh_blobs[i] = SENTINEL; //@ pad.store
  }
  return PaddedShortList();
}
