// The four stages in order, over windows of blob indices that fit the list, so no blob is dropped. CPU reference:
// passes in src/engine/model/shortList.ts.
#import tiled/coarseRasterize.wgsl
#import tiled/padBuffer.wgsl
#import tiled/bitonicSort.wgsl

struct ShortList {
  list: SortedShortList,
  window: Window,
  blobCount: u32,
}

// Returns the list of the longest window that begins at `start`, fits, and has at most `length` indices.
fn shortListAfter(start: u32, length: u32, tile: OrientedBox, localIndex: u32) -> ShortList {
  var window = Window(start, min(start + length, job.blobCount));
  var filled: FilledShortList;
  var blobCount: u32;
  loop {
    filled = coarseRasterize(initShortList(localIndex), window, tile, localIndex); //@ overflow.gather
    blobCount = workgroupUniformLoad(&sh_blobCount);
    if (blobCount <= GAUSSIANS_PER_BLOCK) {
      break;
    }
    window.end = start + smallerWindow(window.end - start, blobCount); //@ overflow.shorten
  }
  return ShortList(bitonicSort(padBuffer(filled, localIndex), localIndex), window, blobCount); //@ overflow.fits
}

// Returns the list of the longest window that ends at `end`, fits, and has at most `length` indices.
fn shortListBefore(end: u32, length: u32, tile: OrientedBox, localIndex: u32) -> ShortList {
  var window = Window(end - min(length, end), end);
  var filled: FilledShortList;
  var blobCount: u32;
  loop {
    filled = coarseRasterize(initShortList(localIndex), window, tile, localIndex);
    blobCount = workgroupUniformLoad(&sh_blobCount);
    if (blobCount <= GAUSSIANS_PER_BLOCK) {
      break;
    }
    window.start = end - smallerWindow(end - window.start, blobCount);
  }
  return ShortList(bitonicSort(padBuffer(filled, localIndex), localIndex), window, blobCount);
}

// Returns a window length that should fit. A window as long as the list always does.
fn smallerWindow(length: u32, blobCount: u32) -> u32 {
  let guess = u32(0.9 * f32(length) * f32(GAUSSIANS_PER_BLOCK) / f32(blobCount)); //@ overflow.guess
  return max(GAUSSIANS_PER_BLOCK, guess);
}
