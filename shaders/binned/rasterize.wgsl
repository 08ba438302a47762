// Stage 5: forward through each tile's list to the loss; a workgroup a tile, a thread a pixel. It keeps the state with
// which each segment of the list begins, so that the way back can take all segments side by side.
#import binned/segments.wgsl
#import shared/blend.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;
@group(0) @binding(16) var<storage, read> status: array<u32>;
// Colour and transmittance of each pixel before each segment.
@group(0) @binding(19) var<storage, read_write> segmentStates: array<vec4f>;
// Of each pixel of each tile: dL/dC, and dL/dC . C + dL/dT T at the end.
@group(0) @binding(20) var<storage, read_write> pixelGradients: array<vec4f>;

// At least as many as a segment has entries: each fetches one.
const THREADS = 128u;

var<workgroup> sh_list: TileList;
var<workgroup> sh_blobs: array<PixelBlob, SEGMENT_LENGTH>;
// Whether some pixel still takes blobs.
var<workgroup> sh_open: atomic<u32>;
var<workgroup> sh_goesOn: u32;
var<workgroup> sh_errors: array<f32, THREADS>;

// The thread's blob of a segment; one that is not there is invisible.
fn blobOfSegment(tileList: TileList, k: u32, localIndex: u32) -> PixelBlob {
  let i = k * SEGMENT_LENGTH + localIndex;
  if (i >= tileList.count || localIndex >= SEGMENT_LENGTH) {
    return PixelBlob();
  }
  let at = 3u * list[tileList.first + i].x;
  return unpackBlob(pixelBlobs[at], pixelBlobs[at + 1u], pixelBlobs[at + 2u]);
}

fn colorAt(i: u32, pixel: vec2f) -> vec4f {
  let blob = sh_blobs[i];
  let point = (pixel - blob.center) * blob.perDeviation;
  return vec4f(blob.color, min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, point)));
}

fn blendWhileOpen(state: vec4f, blob: vec4f) -> vec4f {
  return select(state, alphaBlend(state, blob), state.a >= LOWEST_TRANSMITTANCE);
}

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
  if (localIndex == 0u) {
    sh_list = tileLists[tile];
  }
  let tileList = workgroupUniformLoad(&sh_list);
  let segments = segmentsOf(tileList.count);
  var squaredError = 0.0;
  var blended = 0u;
  for (var group = 0u; group < TILE_PIXELS; group += THREADS) {
    let p = group + localIndex;
    let here = p < TILE_PIXELS;
    let pixel = pixelOfTile(tile, p);
    var state = clearPixelState().value;
    var ahead = blobOfSegment(tileList, 0u, localIndex);
    for (var k = 0u; k < segments; k++) {
      if (here) {
        segmentStates[(tileList.firstSegment + k) * TILE_PIXELS + p] = state;
      }
      let count = min(SEGMENT_LENGTH, tileList.count - k * SEGMENT_LENGTH);
      if (localIndex < SEGMENT_LENGTH) {
        sh_blobs[localIndex] = ahead;
      }
      if (localIndex == 0u) {
        atomicStore(&sh_open, 0u);
      }
      workgroupBarrier();
      // Fetched while this segment is blended.
      ahead = blobOfSegment(tileList, k + 1u, localIndex);
      // Four at a time: what they are at the pixel does not depend on each other, only the blending does.
      for (var i = 0u; i < count && state.a >= LOWEST_TRANSMITTANCE; i += 4u) {
        let a = colorAt(i, vec2f(pixel));
        let b = colorAt(i + 1u, vec2f(pixel));
        let c = colorAt(i + 2u, vec2f(pixel));
        let d = colorAt(i + 3u, vec2f(pixel));
        state = blendWhileOpen(blendWhileOpen(blendWhileOpen(blendWhileOpen(state, a), b), c), d);
      }
      if (here && state.a >= LOWEST_TRANSMITTANCE) {
        atomicStore(&sh_open, 1u);
      }
      workgroupBarrier();
      if (localIndex == 0u) {
        sh_goesOn = atomicLoad(&sh_open);
      }
      blended = max(blended, k + 1u);
      if (workgroupUniformLoad(&sh_goesOn) == 0u) {
        break;
      }
    }
    if (here) {
      var gradient = vec4f();
      if (all(pixel < dispatch.renderSize)) {
        let loss = lossBackward(state, targetColor(pixel));
        squaredError += loss.squaredError;
        gradient = vec4f(loss.pixel.rgb, dot(loss.pixel, state));
      }
      pixelGradients[tile * TILE_PIXELS + p] = gradient;
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
    tileLists[tile].blendedSegments = blended;
    tileStatistics[tile] = TileStatistics(sh_errors[0], tileList.count, 1u);
  }
}
