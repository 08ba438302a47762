// Takes each pixel of some tiles forward, with all its states kept, and back by undoing, and says how far what was undone
// is from what was kept. A workgroup is a tile, a thread a pixel.
#import shared/parameters.wgsl
#import shared/uv.wgsl
#import shared/blend.wgsl
#import shared/loss.wgsl

// A tile's number, where its blobs begin among those listed, how many they are, and where its states are kept.
@group(0) @binding(10) var<storage, read> tiles: array<vec4u>;
@group(0) @binding(11) var<storage, read> listed: array<u32>;
// The state before each blob, pixel by pixel; the same of alpha.
@group(0) @binding(12) var<storage, read_write> states: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> alphas: array<f32>;

struct UndoError {
  // The state after the last blob.
  end: vec4f,
  // The state before the first one, undone.
  start: vec4f,
  // The largest |undone - kept| of T, the same as a share of T, and of C.
  transmittance: f32,
  relative: f32,
  color: f32,
  // |gradient by undoing - gradient by the kept states| as a share of the latter, over all raw parameters of all blobs.
  gradient: f32,
  // Blobs whose alpha is above 0, and how many of these have another alpha on the way back.
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
    let kept = states[first + i - 1u];
    let gap = abs(state.value - kept);
    error.transmittance = max(error.transmittance, gap.a);
    error.relative = max(error.relative, gap.a / kept.a);
    error.color = max(error.color, max(gap.r, max(gap.g, gap.b)));
    if (value.a > 0.0) {
      error.blobs++;
      if (value.a != alphas[first + i - 1u]) {
        error.otherAlphas++;
      }
    }
    let byUndoing = alphaBlendBackward(state.value, value, d);
    let byKeeping = alphaBlendBackward(kept, value, d);
    let undone = decodeBackward(raw, evalBackward(blob, uv, byUndoing.blob));
    let cached = decodeBackward(raw, evalBackward(blob, uv, byKeeping.blob));
    apart += squared(difference(undone, cached));
    all += squared(cached);
    d = byUndoing.pixel;
  }
  error.start = state.value;
  error.gradient = select(0.0, sqrt(apart / all), all > 0.0);
  error.inside = 1u;
  errors[workgroup.x * WORKGROUP_SIZE + localIndex] = error;
}
