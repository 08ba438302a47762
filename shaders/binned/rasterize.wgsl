// Stage 5: forward to the loss. It keeps the state with which each segment of a list begins, so that the way back can take
// all segments side by side.
#import binned/forward.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

@group(0) @binding(23) var<storage, read> tileOrder: array<u32>;
@group(0) @binding(16) var<storage, read_write> status: Status;
@group(0) @binding(19) var<storage, read_write> segmentStates: array<vec4u>;
// Of each pixel of each tile: dL/dC, and dL/dC . C + dL/dT T at the end.
@group(0) @binding(20) var<storage, read_write> pixelGradients: array<vec4f>;

var<workgroup> sh_errors: array<f32, THREADS>;

fn keepState(segment: u32, subtile: u32, localIndex: u32, state: vec4f) {
  segmentStates[segment * SEGMENT_STRIDE + subtile * SUBTILE_PIXELS + localIndex] = bitcast<vec4u>(state);
}

fn keepOpen(segment: u32, subtile: u32, isOpen: bool) {
  segmentStates[segment * SEGMENT_STRIDE + TILE_PIXELS + subtile / 4u][subtile % 4u] = u32(isOpen);
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let place = subtileOfWorkgroup(workgroup, workgroups);
  if (place.x >= dispatch.endWorkgroup) {
    return;
  }
  let tile = tileOrder[place.x];
  let subtile = place.y;
  if (tile == 0u && subtile == 0u && localIndex == 0u && atomicLoad(&status.halted) == 0u) {
    // For the lists of the next step. Where they are halted, blending those of the last step again does no harm.
    atomicStore(&status.pairs, 0u);
    atomicStore(&status.entries, 0u);
    atomicStore(&status.longTiles, 0u);
    atomicStore(&status.shortTiles, 0u);
  }
  let tileList = listOf(tile, localIndex);
  let p = subtile * SUBTILE_PIXELS + localIndex;
  let pixel = pixelOfTile(tile, p);
  let inside = isInside(tile, pixel);
  // What is outside takes no blob.
  let state = blendList(tileList, subtile, localIndex, vec2f(pixel), vec4f(0.0, 0.0, 0.0, select(0.0, 1.0, inside)));
  var gradient = vec4f();
  var squaredError = 0.0;
  if (inside) {
    let loss = lossBackward(state, targetColor(pixel));
    squaredError = loss.squaredError;
    gradient = vec4f(loss.pixel.rgb, dot(loss.pixel, state));
  }
  pixelGradients[tile * TILE_PIXELS + p] = gradient;
  sh_errors[localIndex] = squaredError;
  for (var stride = THREADS / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (localIndex < stride) {
      sh_errors[localIndex] += sh_errors[localIndex + stride];
    }
  }
  if (localIndex == 0u) {
    // One subtile tells of the list for all.
    let length = select(0u, tileList.count, subtile == 0u);
    tileStatistics[tile * SUBTILES + subtile] = TileStatistics(sh_errors[0], length, 1u);
  }
}
