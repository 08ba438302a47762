// Every blob at every pixel: no tiles, no lists. CPU references: differentiate in src/engine/model/rasterize.ts,
// evalBackward in src/engine/model/blob.ts.
#import shared/undo.wgsl
#import shared/accumulate.wgsl

// Whether a workgroup decodes a block of blobs together, or each thread decodes every blob by itself.
override SHARES_BLOCKS: bool = false;
// Blobs per block.
override GAUSSIANS_PER_BLOCK: u32 = 1;

var<workgroup> sh_block: array<Blob, GAUSSIANS_PER_BLOCK>;

// Decodes the block that begins at blob `first`. Call it in uniform control flow.
fn decodeBlock(first: u32, localIndex: u32) {
  workgroupBarrier();
  for (var k = localIndex; k < min(GAUSSIANS_PER_BLOCK, job.blobCount - first); k += WORKGROUP_SIZE) {
    sh_block[k] = loadBlob(first + k);
  }
  workgroupBarrier();
}

fn blobOfBlock(i: u32) -> Blob {
  if (SHARES_BLOCKS) {
    return sh_block[i % GAUSSIANS_PER_BLOCK];
  }
  return loadBlob(i);
}

// Call it in uniform control flow.
fn simpleSplatBlobs(uv: vec2f, localIndex: u32) -> PixelState {
  var state = clearPixelState();
  for (var i = 0u; i < job.blobCount; i++) {
    if (SHARES_BLOCKS && i % GAUSSIANS_PER_BLOCK == 0u) {
      decodeBlock(i, localIndex);
    }
    storeState(state);
    state = transformPixelState(state, eval(blobOfBlock(i), uv));
  }
  return state;
}

// Propagates dL/d(C, T) backward through all blobs, last to first.
fn simpleSplatBlobsBackward(uv: vec2f, localIndex: u32, after: PixelState, dAfter: vec4f) {
  var state = after;
  var dState = dAfter;
  for (var i = job.blobCount; i > 0u; i--) {
    if (SHARES_BLOCKS && (i == job.blobCount || i % GAUSSIANS_PER_BLOCK == 0u)) {
      decodeBlock((i - 1u) / GAUSSIANS_PER_BLOCK * GAUSSIANS_PER_BLOCK, localIndex);
    }
    let raw = rawBlob(i - 1u);
    let blob = blobOfBlock(i - 1u);
    let value = eval(blob, uv);
    let before = stateBefore(state, i, value);
    var d = Blob();
    if (i <= state.finalCount) {
      let gradient = alphaBlendBackward(before.value, value, dState);
      d = decodeBackward(raw, evalBackward(blob, uv, gradient.blob));
      dState = gradient.pixel;
    }
    state = before;
    accumulate(d, i - 1u, localIndex);
  }
}
