// Pads and sorts the numbers of a figure with the stages that sort a tile's list.
#import tiled/padBuffer.wgsl
#import tiled/bitonicSort.wgsl

@group(0) @binding(2) var<storage, read> given: array<u32>;
@group(0) @binding(3) var<storage, read_write> sorted: array<u32>;

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  for (var i = localIndex; i < arrayLength(&given); i += WORKGROUP_SIZE) {
    sh_blobs[i] = given[i];
  }
  if (localIndex == 0u) {
    sh_blobCount = arrayLength(&given);
  }
  workgroupBarrier();
  let list = bitonicSort(padBuffer(FilledShortList(), localIndex), localIndex);
  for (var i = localIndex; i < GAUSSIANS_PER_BLOCK; i += WORKGROUP_SIZE) {
    sorted[i] = sh_blobs[i] + list.token;
  }
}
