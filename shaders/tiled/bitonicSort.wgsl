// Stage 4: sorts the list by blob index, which is the depth. CPU reference: bitonicSort in
// src/engine/model/shortList.ts.
#import tiled/initShortList.wgsl

fn bitonicSort(_list: PaddedShortList, localIndex: u32) -> SortedShortList {
  workgroupBarrier();
  for (var k = 2u; k <= GAUSSIANS_PER_BLOCK; k *= 2u) {
    for (var j = k / 2u; j > 0u; j /= 2u) { //@ sort.pass
      for (var i = localIndex; i < GAUSSIANS_PER_BLOCK; i += WORKGROUP_SIZE) {
        let l = i ^ j; //@ sort.partner
        if (l > i) {
          let ascending = (i & k) == 0u; //@ sort.direction
          let low = sh_blobs[i];
          let high = sh_blobs[l];
          if ((low > high) == ascending && low != high) { //@ sort.compare
            sh_blobs[i] = high; //@ sort.swap
            sh_blobs[l] = low; //@ sort.swapBack
          }
        }
      }
      workgroupBarrier(); //@ sort.barrier
    }
  }
  return SortedShortList();
}
