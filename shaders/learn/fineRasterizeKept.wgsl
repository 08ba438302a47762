// In the place of tiled/fineRasterize.wgsl: the same, with every state kept on the way forward and read on the way back,
// in place of the undo. Where a tile's list takes several passes, only the last one's states still stand when the way
// back begins: those of the passes before it are undone.
#import tiled/initShortList.wgsl
#import shared/accumulate.wgsl
#import learn/keptStates.wgsl

// The list whose states are kept: the tile's blobs before it, and its own.
var<private> keptAfter: u32;
var<private> keptCount: u32;

fn fineRasterize(_list: SortedShortList, blobCount: u32, uv: vec2f, before: PixelState) -> PixelState {
  keptAfter += keptCount;
  keptCount = blobCount;
  var state = before;
  for (var i = 0u; i < blobCount; i++) {
    keepState(i, state);
    state = transformPixelState(state, eval(loadBlob(sh_blobs[i]), uv));
  }
  return state;
}

struct PixelGradient {
  state: PixelState,
  d: vec4f,
}

fn fineRasterizeBackward(
  _list: SortedShortList,
  blobCount: u32,
  blobsBefore: u32,
  uv: vec2f,
  localIndex: u32,
  after: PixelGradient,
) -> PixelGradient {
  let isKept = blobsBefore == keptAfter;
  var current = after;
  for (var i = blobCount; i > 0u; i--) {
    let blobIndex = sh_blobs[i - 1u];
    let raw = rawBlob(blobIndex);
    let blob = decode(raw);
    let value = eval(blob, uv);
    var d = Blob();
    if (blobsBefore + i <= current.state.finalCount) {
      let state = stateBefore(i - 1u, isKept, current.state, value);
      let gradient = alphaBlendBackward(state.value, value, current.d);
      d = decodeBackward(raw, evalBackward(blob, uv, gradient.blob));
      current = PixelGradient(state, gradient.pixel);
    }
    accumulate(d, blobIndex, localIndex);
  }
  return current;
}
