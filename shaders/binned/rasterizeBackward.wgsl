// Stage 6: what each pair of a tile and a blob adds to the blob's gradient. A subgroup a segment: a lane holds two blobs,
// and the pixels pass through the lanes one after the other, so that nothing is summed across lanes.
enable subgroups;
#import binned/segments.wgsl
#import binned/backward.wgsl

@group(0) @binding(19) var<storage, read> segmentStates: array<vec4u>;

override LANES: u32 = 32;

// Of each pixel: dL/dC and x, then y.
var<workgroup> sh_gradients: array<vec4f, TILE_PIXELS>;
var<workgroup> sh_y: array<f32, TILE_PIXELS>;
// Of each pixel: transmittance and the rest still to come, as the blobs so far leave them.
var<workgroup> sh_states: array<vec2f, TILE_PIXELS>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let s = linearWorkgroup(workgroup, workgroups);
  if (s >= min(segmentCount(), dispatch.endWorkgroup)) {
    return;
  }
  let segment = segments[s];
  var open = 0u;
  for (var subtile = 0u; subtile < SUBTILES; subtile++) {
    open |= segmentStates[s * SEGMENT_STRIDE + TILE_PIXELS + subtile / 4u][subtile % 4u];
  }
  for (var p = lane; p < TILE_PIXELS; p += LANES) {
    let gradient = pixelGradients[segment.tile * TILE_PIXELS + p];
    let pixel = vec2f(pixelOfTile(segment.tile, p));
    let subtile = p / SUBTILE_PIXELS;
    let isOpen = segmentStates[s * SEGMENT_STRIDE + TILE_PIXELS + subtile / 4u][subtile % 4u] != 0u;
    let state = beginning(gradient, bitcast<vec4f>(segmentStates[s * SEGMENT_STRIDE + p]));
    sh_gradients[p] = vec4f(gradient.rgb, pixel.x);
    sh_y[p] = pixel.y;
    sh_states[p] = select(vec2f(), state, isOpen);
  }
  for (var chunk = 0u; chunk < segment.count; chunk += 2u * LANES) {
    let k = chunk + 2u * lane;
    let first = entryOf(segment, k);
    let second = entryOf(segment, k + 1u);
    let firstClampable = clampBlob(first.index);
    let secondClampable = clampBlob(second.index);
    var firstSum = Slot();
    var secondSum = Slot();
    workgroupBarrier();
    if (open != 0u) {
      // The last pixel's way through the lanes that hold blobs.
      let steps = TILE_PIXELS + (min(segment.count - chunk, 2u * LANES) - 1u) / 2u;
      var state = vec2f();
      for (var t = 0u; t < steps; t++) {
        // The pixel comes from the lane before. A lane that has none yet, or none any more, goes along with an opaque
        // one: that costs less than a branch.
        state = subgroupShuffleUp(state, 1u);
        let p = min(t - lane, TILE_PIXELS);
        let at = min(p, TILE_PIXELS - 1u);
        if (lane == 0u) {
          state = sh_states[at];
        }
        state.x = select(0.0, state.x, p < TILE_PIXELS);
        let d = sh_gradients[at];
        let pixel = vec2f(d.w, sh_y[at]);
        let one = passPixel(first.blob, pixel - first.blob.center, d.rgb, state);
        addPixel(&firstSum, firstClampable, one.dPower, pixel - first.blob.center, one.weight * d.rgb);
        let two = passPixel(second.blob, pixel - second.blob.center, d.rgb, one.state);
        addPixel(&secondSum, secondClampable, two.dPower, pixel - second.blob.center, two.weight * d.rgb);
        state = two.state;
        // For the blobs that come after these, where a subgroup is too small for a segment.
        if (2u * LANES < SEGMENT_LENGTH && lane == LANES - 1u && p < TILE_PIXELS) {
          sh_states[p] = state;
        }
      }
    }
    if (k < segment.count) {
      keep(first.pair, firstSum);
    }
    if (k + 1u < segment.count) {
      keep(second.pair, secondSum);
    }
  }
}
