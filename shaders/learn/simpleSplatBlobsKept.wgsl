// In the place of simple/simpleSplatBlobs.wgsl: the same, with every state kept on the way forward and read on the way
// back, in place of the undo.
#import shared/accumulate.wgsl
#import learn/keptStates.wgsl

fn simpleSplatBlobs(uv: vec2f) -> PixelState {
  var state = clearPixelState();
  for (var i = 0u; i < job.blobCount; i++) {
    keepState(i, state);
    state = transformPixelState(state, eval(loadBlob(i), uv));
  }
  return state;
}

fn simpleSplatBlobsBackward(uv: vec2f, localIndex: u32, after: PixelState, dAfter: vec4f) {
  var state = after;
  var dState = dAfter;
  for (var i = job.blobCount; i > 0u; i--) {
    let raw = rawBlob(i - 1u);
    let blob = decode(raw);
    let value = eval(blob, uv);
    var d = Blob();
    if (i <= state.finalCount) {
      let before = stateBefore(i - 1u, true, state, value);
      let gradient = alphaBlendBackward(before.value, value, dState);
      d = decodeBackward(raw, evalBackward(blob, uv, gradient.blob));
      dState = gradient.pixel;
      state = before;
    }
    accumulate(d, i - 1u, localIndex);
  }
}
