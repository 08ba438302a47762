// Stage 5: blends each segment by itself, as if it were the first; a thread a pixel, a workgroup a segment.
#import binned/segments.wgsl
#import shared/blend.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;
@group(0) @binding(16) var<storage, read> status: array<u32>;
@group(0) @binding(18) var<storage, read> segments: array<Segment>;
// Colour and transmittance of each pixel of each segment.
@group(0) @binding(19) var<storage, read_write> partials: array<vec4f>;

const THREADS = 128u;
var<workgroup> sh_blobs: array<PixelBlob, SEGMENT_LENGTH>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let s = linearWorkgroup(workgroup, workgroups);
  if (status[2] != 0u || s >= status[5]) {
    return;
  }
  let segment = segments[s];
  for (var k = localIndex; k < segment.count; k += THREADS) {
    let i = list[segment.first + k].x;
    sh_blobs[k] = unpackBlob(pixelBlobs[3u * i], pixelBlobs[3u * i + 1u], pixelBlobs[3u * i + 2u]);
  }
  workgroupBarrier();
  for (var p = localIndex; p < TILE_PIXELS; p += THREADS) {
    let pixel = vec2f(pixelOfTile(segment.tile, p));
    var state = clearPixelState().value;
    for (var k = 0u; k < segment.count; k++) {
      let blob = sh_blobs[k];
      let point = (pixel - blob.center) * blob.perDeviation;
      state = alphaBlend(state, vec4f(blob.color, min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, point))));
    }
    partials[s * TILE_PIXELS + p] = state;
  }
}
