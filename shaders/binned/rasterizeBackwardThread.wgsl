// Stage 6 without subgroups: a thread a segment, blob by blob, the pixels' states in storage. No barriers: also the
// fastest way where a CPU plays the GPU.
#import binned/segments.wgsl
#import binned/backward.wgsl

@group(0) @binding(19) var<storage, read_write> segmentStates: array<vec4u>;

const THREADS = 4u;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let firstOfAll = dispatch.firstWorkgroup;
  let s = firstOfAll + THREADS * (linearWorkgroup(workgroup, workgroups) - firstOfAll) + localIndex;
  if (s >= min(segmentCount(), dispatch.endWorkgroup)) {
    return;
  }
  let segment = segments[s];
  let states = s * SEGMENT_STRIDE;
  for (var p = 0u; p < TILE_PIXELS; p++) {
    let gradient = pixelGradients[segment.tile * TILE_PIXELS + p];
    let state = beginning(gradient, bitcast<vec4f>(segmentStates[states + p]));
    segmentStates[states + p] = vec4u(bitcast<vec2u>(state), 0u, 0u);
  }
  for (var k = 0u; k < segment.count; k++) {
    let entry = entryOf(segment, k);
    let clampable = clampBlob(entry.index);
    var sum = Slot();
    for (var subtile = 0u; subtile < SUBTILES; subtile++) {
      if ((entry.subtiles & subtileBit(subtile)) == 0u) {
        continue;
      }
      for (var p = subtile * SUBTILE_PIXELS; p < (subtile + 1u) * SUBTILE_PIXELS; p++) {
        let offset = vec2f(pixelOfTile(segment.tile, p)) - entry.blob.center;
        let d = pixelGradients[segment.tile * TILE_PIXELS + p].rgb;
        let passed = passPixel(entry.blob, offset, d, bitcast<vec2f>(segmentStates[states + p].xy));
        segmentStates[states + p] = vec4u(bitcast<vec2u>(passed.state), 0u, 0u);
        addPixel(&sum, clampable, passed.dPower, offset, passed.weight * d);
      }
    }
    keep(entry.pair, sum);
  }
}
