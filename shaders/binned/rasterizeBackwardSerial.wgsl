// Stage 6 without subgroups: a thread a segment, blob by blob, the pixels' states in storage. No barriers: also the
// fastest way where a CPU plays the GPU.
#import binned/segments.wgsl
#import binned/backward.wgsl

const THREADS = 4u;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let firstOfAll = dispatch.firstWorkgroup;
  let s = firstOfAll + THREADS * (linearWorkgroup(workgroup, workgroups) - firstOfAll) + localIndex;
  if (s >= min(segments.count, dispatch.endWorkgroup)) {
    return;
  }
  let segment = segments.items[s];
  let dead = isDead(segment, s);
  let origin = pixelOfTile(segment.tile, 0u);
  for (var p = 0u; p < TILE_PIXELS && !dead; p++) {
    let at = s * TILE_PIXELS + p;
    let state = beginning(pixelGradients[segment.tile * TILE_PIXELS + p], segmentStates[at]);
    segmentStates[at] = vec4f(state, 0.0, 0.0);
  }
  for (var k = 0u; k < segment.count; k++) {
    var blob = held(segment, k);
    for (var p = 0u; p < TILE_PIXELS && !dead; p++) {
      let pixel = vec2f(origin + vec2u(p % TILE_WIDTH, p / TILE_WIDTH));
      let at = s * TILE_PIXELS + p;
      let d = pixelGradients[segment.tile * TILE_PIXELS + p].rgb;
      segmentStates[at] = vec4f(passPixel(&blob, pixel, d, segmentStates[at].xy), 0.0, 0.0);
    }
    keep(blob);
  }
}
