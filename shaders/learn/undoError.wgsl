// Runs the forward pass at each pixel of some tiles, storing all states, and the backward pass by undoing, and reports
// the difference between undone and stored states. One workgroup per tile, one thread per pixel.
#import shared/parameters.wgsl
#import shared/uv.wgsl
#import shared/blend.wgsl
#import shared/loss.wgsl

// Tile index, index of its first blob in `listed`, number of its blobs, and index of its first state.
@group(0) @binding(10) var<storage, read> tiles: array<vec4u>;
@group(0) @binding(11) var<storage, read> listed: array<u32>;
// State before each blob, and its alpha, pixel by pixel.
@group(0) @binding(12) var<storage, read_write> states: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> alphas: array<f32>;

struct UndoError {
  // The state after the last blob.
  end: vec4f,
  // The state before the first one, by undoing.
  start: vec4f,
  // The largest |undone - stored|: of T, of T relative to it, and of C.
  transmittance: f32,
  relative: f32,
  color: f32,
  // Relative error of the gradient by undoing against that from stored states, over all raw parameters of all blobs.
  gradient: f32,
  // Number of blobs with an alpha above 0, and of those with a different alpha in the backward pass.
  blobs: u32,
  otherAlphas: u32,
  inside: u32,
  _unused: u32,
}

@group(0) @binding(14) var<storage, read_write> errors: array<UndoError>;

fn difference(a: Blob, b: Blob) -> Blob {
  return Blob(
    a.center - b.center,
    a.variance - b.variance,
    a.correlation - b.correlation,
    a.color - b.color,
    a.opacity - b.opacity,
  );
}

fn squared(d: Blob) -> f32 {
  let rest = d.correlation * d.correlation + d.opacity * d.opacity;
  return dot(d.center, d.center) + dot(d.variance, d.variance) + dot(d.color, d.color) + rest;
}

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let tile = tiles[workgroup.x];
  let place = threadPlace(tile.x, localIndex, dispatch.renderSize);
  if (!place.inside) {
    return;
  }
  let uv = pixelUV(place.pixel);
  let first = tile.w + localIndex * tile.z;

  var error = UndoError();
  var state = clearPixelState();
  for (var i = 0u; i < tile.z; i++) {
    let value = eval(loadBlob(listed[tile.y + i]), uv);
    states[first + i] = state.value;
    alphas[first + i] = value.a;
    state = transformPixelState(state, value);
  }
  error.end = state.value;

  var d = lossBackward(state.value, targetColor(place.pixel)).pixel;
  var apart = 0.0;
  var all = 0.0;
  for (var i = state.finalCount; i > 0u; i--) {
    let raw = rawBlob(listed[tile.y + i - 1u]);
    let blob = decode(raw);
    let value = eval(blob, uv);
    state = undoPixelState(state, i, value);
    let stored = states[first + i - 1u];
    let gap = abs(state.value - stored);
    error.transmittance = max(error.transmittance, gap.a);
    error.relative = max(error.relative, gap.a / stored.a);
    error.color = max(error.color, max(gap.r, max(gap.g, gap.b)));
    if (value.a > 0.0) {
      error.blobs++;
      if (value.a != alphas[first + i - 1u]) {
        error.otherAlphas++;
      }
    }
    let byUndoing = alphaBlendBackward(state.value, value, d);
    let byStored = alphaBlendBackward(stored, value, d);
    let undone = decodeBackward(raw, evalBackward(blob, uv, byUndoing.blob));
    let cached = decodeBackward(raw, evalBackward(blob, uv, byStored.blob));
    apart += squared(difference(undone, cached));
    all += squared(cached);
    d = byUndoing.pixel;
  }
  error.start = state.value;
  error.gradient = select(0.0, sqrt(apart / all), all > 0.0);
  error.inside = 1u;
  errors[workgroup.x * WORKGROUP_SIZE + localIndex] = error;
}
