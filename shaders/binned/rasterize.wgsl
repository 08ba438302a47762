// Stage 5: forward to the loss.
#import binned/forward.wgsl
#import binned/toLoss.wgsl

var<workgroup> sh_errors: array<f32, THREADS>;

fn keepTaken(segment: u32, subtile: u32, entries: u32) {
  segmentStates[segment * SEGMENT_STRIDE + TILE_PIXELS + subtile / 4u][subtile % 4u] = entries;
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
  if (tile == 0u && subtile == 0u && localIndex == 0u) {
    emptyLists();
  }
  let tileList = listOf(tile, localIndex);
  let p = subtile * SUBTILE_PIXELS + localIndex;
  let pixel = pixelOfTile(tile, p);
  let state = blendList(tileList, subtile, localIndex, vec2f(pixel), clearState(tile, pixel));
  sh_errors[localIndex] = finishPixel(tile, p, pixel, state);
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
