// Stage 6: puts the segments of each pixel together in their order, down to the loss; a thread a pixel. What stood in
// `partials` gives way to the state with which each segment begins: T, and what is still to come of dL/dC . C + dL/dT T.
#import binned/segments.wgsl
#import shared/blend.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(13) var<storage, read> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;
@group(0) @binding(16) var<storage, read> status: array<u32>;
@group(0) @binding(19) var<storage, read_write> partials: array<vec4f>;
// dL/dC of each pixel of each tile.
@group(0) @binding(20) var<storage, read_write> pixelGradients: array<vec4f>;

const THREADS = 128u;
// Segments are marked in words of 32 bits; those beyond count as marked.
const MARK_WORDS = 32u;

// In which segments some pixel goes opaque.
var<workgroup> sh_marks: array<atomic<u32>, MARK_WORDS>;
var<workgroup> sh_marked: u32;
var<workgroup> sh_blobs: array<PixelBlob, SEGMENT_LENGTH>;
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
  for (var group = 0u; group < TILE_PIXELS; group += THREADS) {
    let p = group + localIndex;
    let here = p < TILE_PIXELS;
    let pixel = pixelOfTile(tile, p);
    let firstPartial = tileList.firstSegment * TILE_PIXELS + p;

    // C = C + T c' and T = T t' for a segment (c', t') that was blended by itself: up to the segment in which the
    // pixel goes opaque, which is done over, blob by blob.
    var state = clearPixelState().value;
    var opaqueIn = 0u;
    for (; here && opaqueIn < segments; opaqueIn++) {
      let partial = partials[firstPartial + opaqueIn * TILE_PIXELS];
      let transmittance = state.a * partial.a;
      if (transmittance < LOWEST_TRANSMITTANCE) {
        atomicOr(&sh_marks[min(opaqueIn / 32u, MARK_WORDS - 1u)], 1u << (opaqueIn % 32u));
        break;
      }
      state = vec4f(state.rgb + state.a * partial.rgb, transmittance);
    }
    workgroupBarrier();
    for (var k = 0u; k < segments; k++) {
      if (localIndex == 0u) {
        sh_marked = (atomicLoad(&sh_marks[min(k / 32u, MARK_WORDS - 1u)]) >> (k % 32u)) & 1u;
      }
      if (workgroupUniformLoad(&sh_marked) == 0u && k < 32u * MARK_WORDS) {
        continue;
      }
      let first = tileList.first + k * SEGMENT_LENGTH;
      let count = min(SEGMENT_LENGTH, tileList.first + tileList.count - first);
      for (var i = localIndex; i < count; i += THREADS) {
        let blob = 3u * list[first + i].x;
        sh_blobs[i] = unpackBlob(pixelBlobs[blob], pixelBlobs[blob + 1u], pixelBlobs[blob + 2u]);
      }
      workgroupBarrier();
      for (var i = 0u; here && k == opaqueIn && i < count && state.a >= LOWEST_TRANSMITTANCE; i++) {
        let blob = sh_blobs[i];
        let point = (vec2f(pixel) - blob.center) * blob.perDeviation;
        state = alphaBlend(state, vec4f(blob.color, min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, point))));
      }
    }
    workgroupBarrier();
    if (localIndex < MARK_WORDS) {
      atomicStore(&sh_marks[localIndex], 0u);
    }
    workgroupBarrier();

    var d = vec4f();
    if (all(pixel < dispatch.renderSize) && here) {
      let loss = lossBackward(state, targetColor(pixel));
      squaredError += loss.squaredError;
      d = loss.pixel;
    }
    if (here) {
      pixelGradients[tile * TILE_PIXELS + p] = vec4f(d.rgb, 0.0);
    }
    var transmittance = 1.0;
    var rest = dot(d.rgb, state.rgb) + d.a * state.a;
    for (var k = 0u; here && k < segments; k++) {
      let at = firstPartial + k * TILE_PIXELS;
      let partial = partials[at];
      // Behind the segment in which the pixel went opaque nothing is applied.
      partials[at] = select(vec4f(), vec4f(transmittance, rest, 0.0, 0.0), k <= opaqueIn);
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
