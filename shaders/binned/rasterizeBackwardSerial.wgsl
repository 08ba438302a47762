// Stage 7 without subgroups: a thread a segment, blob by blob, the pixels' states in storage. No barriers: also the
// fastest way where a CPU plays the GPU.
#import binned/segments.wgsl
#import binned/backward.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;
@group(0) @binding(15) var<storage, read_write> slots: array<Slot>;
@group(0) @binding(16) var<storage, read> status: array<u32>;
@group(0) @binding(18) var<storage, read> segments: array<Segment>;
@group(0) @binding(19) var<storage, read_write> partials: array<vec4f>;
@group(0) @binding(20) var<storage, read> pixelGradients: array<vec4f>;

const THREADS = 4u;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let first = dispatch.firstWorkgroup;
  let s = first + THREADS * (linearWorkgroup(workgroup, workgroups) - first) + localIndex;
  if (status[2] != 0u || s >= min(status[5], dispatch.endWorkgroup)) {
    return;
  }
  let segment = segments[s];
  let origin = pixelOfTile(segment.tile, 0u);
  for (var k = 0u; k < segment.count; k++) {
    let entry = list[segment.first + k];
    let i = 3u * entry.x;
    let blob = unpackBlob(pixelBlobs[i], pixelBlobs[i + 1u], pixelBlobs[i + 2u]);
    let clampable = clampBlob(entry.x);
    var sum = Slot();
    for (var p = 0u; p < TILE_PIXELS; p++) {
      let pixel = vec2f(origin + vec2u(p % TILE_WIDTH, p / TILE_WIDTH));
      let at = s * TILE_PIXELS + p;
      let d = pixelGradients[segment.tile * TILE_PIXELS + p].rgb;
      partials[at] = vec4f(passPixel(&sum, blob, clampable, pixel, d, partials[at].xy), 0.0, 0.0);
    }
    slots[entry.y] = sum;
  }
}
