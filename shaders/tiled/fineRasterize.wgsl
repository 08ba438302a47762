// Stage 5: blends a sorted tile list into the thread's pixel, and undoes the blending to compute gradients. CPU
// references: differentiate in src/engine/model/rasterize.ts, transformPixelState in src/engine/model/blend.ts,
// evalBackward in src/engine/model/blob.ts.
#import tiled/initShortList.wgsl
#import shared/undo.wgsl
#import shared/accumulate.wgsl

fn fineRasterize(_list: SortedShortList, blobCount: u32, uv: vec2f, before: PixelState) -> PixelState {
  var state = before;
  for (var i = 0u; i < blobCount; i++) { //@ blend.loop
    storeState(state); //@ undo.store
    state = transformPixelState(state, eval(loadBlob(sh_blobs[i]), uv)); //@ blend.eval
  }
  return state;
}

// A pixel's state in the backward pass, and dL/d(C, T) at that state.
struct PixelGradient {
  state: PixelState,
  d: vec4f,
}

// The original Slang sample's fineRasterize_bwd. Each state is reconstructed from the one after it: see
// shared/undo.wgsl. `blobsBefore` counts the tile's blobs in the windows before this list's.
fn fineRasterizeBackward(
  _list: SortedShortList,
  blobCount: u32,
  blobsBefore: u32,
  uv: vec2f,
  localIndex: u32,
  after: PixelGradient,
) -> PixelGradient {
  var current = after;
  for (var i = blobCount; i > 0u; i--) { //@ undo.loop
    let blobIndex = sh_blobs[i - 1u];
    let raw = rawBlob(blobIndex);
    let blob = decode(raw);
    let value = eval(blob, uv); //@ undo.eval
    let index = blobsBefore + i;
    let state = stateBefore(current.state, index, value); //@ undo.before
    var d = Blob();
    if (index <= current.state.finalCount) {
      let gradient = alphaBlendBackward(state.value, value, current.d); //@ undo.adjoint
      d = decodeBackward(raw, evalBackward(blob, uv, gradient.blob)); //@ undo.parameters chain
      current.d = gradient.pixel;
    }
    current.state = state;
    accumulate(d, blobIndex, localIndex);
  }
  return current;
}
