// Stage 6: what each pair of a tile and a blob adds to the blob's gradient. A subgroup a segment: a lane holds two blobs,
// and the pixels pass through the lanes one after the other, so that nothing is summed across lanes.
enable subgroups;
#import binned/segments.wgsl
#import binned/backward.wgsl

override LANES: u32 = 32;

var<workgroup> sh_gradients: array<vec4f, TILE_PIXELS>;
// Of each pixel: transmittance and the rest still to come, as the blobs so far leave them.
var<workgroup> sh_states: array<vec2f, TILE_PIXELS>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let s = linearWorkgroup(workgroup, workgroups);
  if (s >= min(segments.count, dispatch.endWorkgroup)) {
    return;
  }
  let segment = segments.items[s];
  let dead = isDead(segment, s);
  let origin = pixelOfTile(segment.tile, 0u);
  for (var p = lane; p < TILE_PIXELS; p += LANES) {
    let gradient = pixelGradients[segment.tile * TILE_PIXELS + p];
    sh_gradients[p] = vec4f(gradient.rgb, f32(origin.x + p % TILE_WIDTH));
    sh_states[p] = beginning(gradient, segmentStates[s * TILE_PIXELS + p]);
  }
  for (var chunk = 0u; chunk < segment.count; chunk += 2u * LANES) {
    var first = held(segment, chunk + 2u * lane);
    var second = held(segment, chunk + 2u * lane + 1u);
    workgroupBarrier();
    if (!dead) {
      var state = vec2f();
      for (var t = 0u; t < TILE_PIXELS + LANES - 1u; t++) {
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
        let pixel = vec2f(d.w, f32(origin.y + at / TILE_WIDTH));
        state = passPixel(&first, pixel, d.rgb, state);
        state = passPixel(&second, pixel, d.rgb, state);
        if (lane == LANES - 1u && p < TILE_PIXELS) {
          sh_states[p] = state;
        }
      }
    }
    keep(first);
    keep(second);
  }
}
