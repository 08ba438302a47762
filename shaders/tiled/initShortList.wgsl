// Stage 1: an empty short-list in workgroup memory. Twin: initShortList in src/engine/model/shortList.ts.
#import shared/uv.wgsl

override GAUSSIANS_PER_BLOCK: u32 = 512;

// The blobs that meet the workgroup's tile.
var<workgroup> sh_blobs: array<u32, GAUSSIANS_PER_BLOCK>;
// Counts while threads append, and may go beyond the capacity.
var<workgroup> sh_blobCountAtomic: atomic<u32>;
// The same for reading afterwards, by all threads alike.
var<workgroup> sh_blobCount: u32;

// The four tokens carry nothing. Each stage takes the one that the stage before it returns, so that a call out of
// order does not compile.
struct InitializedShortList { token: u32 }
struct FilledShortList { token: u32 }
struct PaddedShortList { token: u32 }
struct SortedShortList { token: u32 }

fn initShortList(localIndex: u32) -> InitializedShortList {
  // Nobody still reads the list before.
  workgroupBarrier();
  if (localIndex == 0u) {
    atomicStore(&sh_blobCountAtomic, 0u);
  }
  return InitializedShortList();
}
