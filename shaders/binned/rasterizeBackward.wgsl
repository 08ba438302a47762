// Stage 7: what each pair of a tile and a blob adds to the blob's gradient. A subgroup a segment: a lane holds a blob,
// and the pixels pass through the lanes one after the other, so that nothing is summed across lanes.
enable subgroups;
#import binned/segments.wgsl
#import binned/backward.wgsl

override LANES: u32 = 32;

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;
@group(0) @binding(15) var<storage, read_write> slots: array<Slot>;
@group(0) @binding(16) var<storage, read> status: array<u32>;
@group(0) @binding(18) var<storage, read> segments: array<Segment>;
@group(0) @binding(19) var<storage, read_write> partials: array<vec4f>;
@group(0) @binding(20) var<storage, read> pixelGradients: array<vec4f>;

var<workgroup> sh_gradients: array<vec3f, TILE_PIXELS>;
// Of each pixel: transmittance and the rest still to come, as the blobs so far leave them.
var<workgroup> sh_states: array<vec2f, TILE_PIXELS>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let s = linearWorkgroup(workgroup, workgroups);
  if (status[2] != 0u || s >= min(status[5], dispatch.endWorkgroup)) {
    return;
  }
  let segment = segments[s];
  for (var p = lane; p < TILE_PIXELS; p += LANES) {
    sh_gradients[p] = pixelGradients[segment.tile * TILE_PIXELS + p].rgb;
    sh_states[p] = partials[s * TILE_PIXELS + p].xy;
  }
  let origin = pixelOfTile(segment.tile, 0u);
  for (var chunk = 0u; chunk < segment.count; chunk += LANES) {
    let mine = chunk + lane < segment.count;
    let entry = list[segment.first + select(0u, chunk + lane, mine)];
    let i = 3u * entry.x;
    var blob = unpackBlob(pixelBlobs[i], pixelBlobs[i + 1u], pixelBlobs[i + 2u]);
    blob.opacity = select(0.0, blob.opacity, mine);
    let clampable = clampBlob(entry.x);
    var sum = Slot();
    var state = vec2f();
    workgroupBarrier();
    for (var t = 0u; t < TILE_PIXELS + LANES - 1u; t++) {
      let p = t - lane;
      let here = p < TILE_PIXELS;
      let at = select(0u, p, here);
      // The pixel comes from the lane before.
      state = select(subgroupShuffleUp(state, 1u), sh_states[at], lane == 0u);
      if (here) {
        let pixel = vec2f(origin + vec2u(p % TILE_WIDTH, p / TILE_WIDTH));
        state = passPixel(&sum, blob, clampable, pixel, sh_gradients[p], state);
        if (lane == LANES - 1u) {
          sh_states[p] = state;
        }
      }
    }
    if (mine) {
      slots[entry.y] = sum;
    }
  }
}
