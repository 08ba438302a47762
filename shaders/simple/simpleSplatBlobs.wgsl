// Every blob at every pixel: no tiles, no lists. CPU references: differentiate in src/engine/model/rasterize.ts,
// evalBackward in src/engine/model/blob.ts.
#import shared/undo.wgsl
#import shared/accumulate.wgsl

fn simpleSplatBlobs(uv: vec2f) -> PixelState {
  var state = clearPixelState();
  for (var i = 0u; i < job.blobCount; i++) {
    storeState(state);
    state = transformPixelState(state, eval(loadBlob(i), uv));
  }
  return state;
}

// Propagates dL/d(C, T) backward through all blobs, last to first.
fn simpleSplatBlobsBackward(uv: vec2f, localIndex: u32, after: PixelState, dAfter: vec4f) {
  var state = after;
  var dState = dAfter;
  for (var i = job.blobCount; i > 0u; i--) {
    let raw = rawBlob(i - 1u);
    let blob = decode(raw);
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
