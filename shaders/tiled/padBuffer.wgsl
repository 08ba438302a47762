// Stage 3: pads the list to a power of two, which the sort needs, with a sentinel greater than any blob index. CPU
// reference: padBuffer in src/engine/model/shortList.ts.
#import tiled/initShortList.wgsl

const SENTINEL = 0xffffffffu;

fn padBuffer(_list: FilledShortList, localIndex: u32) -> PaddedShortList {
  for (var i = sh_blobCount + localIndex; i < GAUSSIANS_PER_BLOCK; i += WORKGROUP_SIZE) {
    sh_blobs[i] = SENTINEL; //@ pad.store
  }
  return PaddedShortList();
}
