// Stage 5 without subgroups: a thread a tile, pixel by pixel, each pair's sum in its slot. No barriers: also the fastest
// way where a CPU plays the GPU.
#import binned/lists.wgsl
#import binned/slots.wgsl
#import shared/blend.wgsl
#import shared/parameters.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(13) var<storage, read> tileLists: array<vec2u>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;
@group(0) @binding(15) var<storage, read_write> slots: array<Slot>;
@group(0) @binding(16) var<storage, read> status: array<u32>;

fn loadPixelBlob(i: u32) -> PixelBlob {
  return unpackBlob(pixelBlobs[3u * i], pixelBlobs[3u * i + 1u], pixelBlobs[3u * i + 2u]);
}

fn clampBlob(i: u32) -> ClampBlob {
  if (!CLAMPED) {
    return ClampBlob();
  }
  return ClampBlob(rawBlob(i), loadBlob(i));
}

@compute @workgroup_size(4)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let tile = 4u * linearWorkgroup(workgroup, workgroups) - 3u * dispatch.firstWorkgroup + localIndex;
  if (tile >= dispatch.endWorkgroup || status[2] != 0u) {
    return;
  }
  let range = tileLists[tile];
  let origin = threadPlace(tile, 0u, dispatch.renderSize).origin;
  for (var k = 0u; k < range.y; k++) {
    slots[list[range.x + k].y] = Slot();
  }
  var squaredError = 0.0;
  for (var p = 0u; p < TILE_WIDTH * TILE_HEIGHT; p++) {
    let pixel = origin + vec2u(p % TILE_WIDTH, p / TILE_WIDTH);
    if (any(pixel >= dispatch.renderSize)) {
      continue;
    }
    var state = clearPixelState();
    for (; state.finalCount < range.y && state.value.a >= LOWEST_TRANSMITTANCE;) {
      let blob = loadPixelBlob(list[range.x + state.finalCount].x);
      let point = (vec2f(pixel) - blob.center) * blob.perDeviation;
      let alpha = min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, point));
      state = PixelState(alphaBlend(state.value, vec4f(blob.color, alpha)), state.finalCount + 1u);
    }
    let loss = lossBackward(state.value, targetColor(pixel));
    squaredError += loss.squaredError;
    let d = loss.pixel.rgb;
    var transmittance = 1.0;
    // What is still to come of dL/dC . C + dL/dT T.
    var rest = dot(d, state.value.rgb) + loss.pixel.a * state.value.a;
    for (var k = 0u; k < state.finalCount; k++) {
      let entry = list[range.x + k];
      let blob = loadPixelBlob(entry.x);
      let point = (vec2f(pixel) - blob.center) * blob.perDeviation;
      let value = blob.opacity * pixelFalloff(blob, point);
      if (value == 0.0) {
        continue;
      }
      let alpha = min(HIGHEST_ALPHA, value);
      let alongColor = dot(d, blob.color);
      let weight = alpha * transmittance;
      rest -= weight * alongColor;
      let dAlpha = transmittance * alongColor - rest / (1.0 - alpha);
      let dPower = select(0.0, dAlpha * alpha, value < HIGHEST_ALPHA);
      var sum = slots[entry.y];
      addPixel(&sum, clampBlob(entry.x), dPower, point, weight * d);
      slots[entry.y] = sum;
      transmittance *= 1.0 - alpha;
    }
  }
  tileStatistics[tile] = TileStatistics(squaredError, range.y, 1u);
}
