// Stage 5: forward through a tile's list to the loss, then back to what each pair adds to its blob's gradient.
// A subgroup a tile. Forward, a lane holds a pixel. Backward, a lane holds a blob, and the pixels pass through the
// lanes one after the other, so that nothing is summed across lanes.
enable subgroups;
#import binned/lists.wgsl
#import binned/slots.wgsl
#import shared/blend.wgsl
#import shared/parameters.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

override LANES: u32 = 32;
override TILE_PIXELS: u32 = TILE_WIDTH * TILE_HEIGHT;

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(13) var<storage, read> tileLists: array<vec2u>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;
@group(0) @binding(15) var<storage, read_write> slots: array<Slot>;
@group(0) @binding(16) var<storage, read> status: array<u32>;

// Of each pixel: dL/dC and, while blobs are passed, what is still to come of dL/dC . C + dL/dT T.
var<workgroup> sh_gradient: array<vec4f, TILE_PIXELS>;
// Of each pixel between two chunks of blobs: transmittance and the rest still to come.
var<workgroup> sh_state: array<vec2f, TILE_PIXELS>;

// The number of the last blob, from 1, that any pixel of the tile took.
var<workgroup> sh_blended: u32;

fn loadPixelBlob(i: u32) -> PixelBlob {
  return unpackBlob(pixelBlobs[3u * i], pixelBlobs[3u * i + 1u], pixelBlobs[3u * i + 2u]);
}

fn clampBlob(i: u32) -> ClampBlob {
  if (!CLAMPED) {
    return ClampBlob();
  }
  return ClampBlob(rawBlob(i), loadBlob(i));
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let tile = linearWorkgroup(workgroup, workgroups);
  if (tile >= dispatch.endWorkgroup || status[2] != 0u) {
    return;
  }
  let range = tileLists[tile];
  let origin = threadPlace(tile, 0u, dispatch.renderSize).origin;
  let pixels = TILE_PIXELS;

  var squaredError = 0.0;
  var blended = 0u;
  for (var p = lane; p < pixels; p += LANES) {
    let pixel = origin + vec2u(p % TILE_WIDTH, p / TILE_WIDTH);
    var state = clearPixelState();
    for (var k = 0u; k < range.y && state.value.a >= LOWEST_TRANSMITTANCE; k++) {
      let blob = loadPixelBlob(list[range.x + k].x);
      let point = (vec2f(pixel) - blob.center) * blob.perDeviation;
      let alpha = min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, point));
      state = PixelState(alphaBlend(state.value, vec4f(blob.color, alpha)), k + 1u);
    }
    blended = max(blended, state.finalCount);
    var d = vec4f();
    if (all(pixel < dispatch.renderSize)) {
      let loss = lossBackward(state.value, targetColor(pixel));
      squaredError += loss.squaredError;
      d = loss.pixel;
    }
    sh_gradient[p] = vec4f(d.rgb, 0.0);
    sh_state[p] = vec2f(1.0, dot(d.rgb, state.value.rgb) + d.a * state.value.a);
  }
  blended = subgroupMax(blended);
  squaredError = subgroupAdd(squaredError);
  if (lane == 0u) {
    sh_blended = blended;
    tileStatistics[tile] = TileStatistics(squaredError, range.y, 1u);
  }

  let last = workgroupUniformLoad(&sh_blended);
  for (var chunk = 0u; chunk < range.y; chunk += LANES) {
    let mine = chunk + lane < range.y;
    let entry = list[range.x + select(0u, chunk + lane, mine)];
    var sum = Slot();
    // Beyond it nothing has a gradient.
    if (chunk < last) {
      workgroupBarrier();
      var blob = loadPixelBlob(entry.x);
      blob.opacity = select(0.0, blob.opacity, mine);
      let decoded = clampBlob(entry.x);
      var out = vec2f();
      for (var t = 0u; t < pixels + LANES - 1u; t++) {
        // The pixel's state comes from the lane before.
        var state = subgroupShuffleUp(out, 1u);
        let p = t - lane;
        let here = p < pixels;
        if (lane == 0u && here) {
          state = sh_state[p];
        }
        if (here) {
          let d = sh_gradient[p].rgb;
          let pixel = origin + vec2u(p % TILE_WIDTH, p / TILE_WIDTH);
          let point = (vec2f(pixel) - blob.center) * blob.perDeviation;
          let falloff = select(0.0, pixelFalloff(blob, point), state.x >= LOWEST_TRANSMITTANCE);
          let value = blob.opacity * falloff;
          let alpha = min(HIGHEST_ALPHA, value);
          let alongColor = dot(d, blob.color);
          let weight = alpha * state.x;
          let rest = state.y - weight * alongColor;
          let dAlpha = state.x * alongColor - rest / (1.0 - alpha);
          let dPower = select(0.0, dAlpha * alpha, value < HIGHEST_ALPHA);
          addPixel(&sum, decoded, dPower, point, weight * d);
          out = vec2f(state.x * (1.0 - alpha), rest);
          if (lane == LANES - 1u) {
            sh_state[p] = out;
          }
        }
      }
    }
    if (mine) {
      slots[entry.y] = sum;
    }
  }
}
