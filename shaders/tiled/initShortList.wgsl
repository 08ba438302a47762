// Stage 1: an empty tile list in workgroup memory. CPU reference: initShortList in src/engine/model/shortList.ts.
#import shared/uv.wgsl

override GAUSSIANS_PER_BLOCK: u32 = 512;

// The blobs that overlap the workgroup's tile.
var<workgroup> sh_blobs: array<u32, GAUSSIANS_PER_BLOCK>;
// Counts blobs while threads append; may exceed the capacity.
var<workgroup> sh_blobCountAtomic: atomic<u32>;
// The final count, for uniform reads.
var<workgroup> sh_blobCount: u32;

// The tokens carry no data. Each stage takes the token that the previous stage returns, so a call out of order does not
// compile.
struct InitializedShortList { token: u32 }
struct FilledShortList { token: u32 }
struct PaddedShortList { token: u32 }
struct SortedShortList { token: u32 }

fn initShortList(localIndex: u32) -> InitializedShortList {
  // Wait until no thread reads the previous list.
  workgroupBarrier();
  if (localIndex == 0u) {
    atomicStore(&sh_blobCountAtomic, 0u);
  }
  return InitializedShortList();
}
