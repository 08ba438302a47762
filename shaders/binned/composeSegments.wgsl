// Stage 6: puts the segments of each pixel together in their order, down to the loss; a thread a pixel. What stood in
// `partials` gives way to the state with which each segment begins: T, and what is still to come of dL/dC . C + dL/dT T.
#import binned/segments.wgsl
#import binned/composePixel.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

@group(0) @binding(13) var<storage, read> tileLists: array<TileList>;
@group(0) @binding(16) var<storage, read> status: array<u32>;
@group(0) @binding(19) var<storage, read_write> partials: array<vec4f>;
// dL/dC of each pixel of each tile.
@group(0) @binding(20) var<storage, read_write> pixelGradients: array<vec4f>;

const THREADS = 64u;
var<workgroup> sh_errors: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let tile = linearWorkgroup(workgroup, workgroups);
  if (tile >= dispatch.endWorkgroup || status[2] != 0u) {
    return;
  }
  let tileList = tileLists[tile];
  let segments = segmentsOf(tileList.count);
  var squaredError = 0.0;
  for (var p = localIndex; p < TILE_PIXELS; p += THREADS) {
    let pixel = pixelOfTile(tile, p);
    let composed = composePixel(tileList, pixel, p);
    var d = vec4f();
    if (all(pixel < dispatch.renderSize)) {
      let loss = lossBackward(composed.state, targetColor(pixel));
      squaredError += loss.squaredError;
      d = loss.pixel;
    }
    pixelGradients[tile * TILE_PIXELS + p] = vec4f(d.rgb, 0.0);
    var transmittance = 1.0;
    var rest = dot(d.rgb, composed.state.rgb) + d.a * composed.state.a;
    for (var k = 0u; k < segments; k++) {
      let at = (tileList.firstSegment + k) * TILE_PIXELS + p;
      let partial = partials[at];
      // Behind the segment in which the pixel went opaque nothing is applied.
      partials[at] = select(vec4f(), vec4f(transmittance, rest, 0.0, 0.0), k <= composed.lastSegment);
      rest -= transmittance * dot(d.rgb, partial.rgb);
      transmittance *= partial.a;
    }
  }
  sh_errors[localIndex] = squaredError;
  for (var stride = THREADS / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (localIndex < stride) {
      sh_errors[localIndex] += sh_errors[localIndex + stride];
    }
  }
  if (localIndex == 0u) {
    tileStatistics[tile] = TileStatistics(sh_errors[0], tileList.count, 1u);
  }
}
