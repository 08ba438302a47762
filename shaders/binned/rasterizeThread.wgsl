// Stage 5 without barriers: forward to the loss, a thread a row of pixels.
#import binned/forwardThread.wgsl
#import binned/toLoss.wgsl

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) row: u32,
) {
  let place = subtileOfWorkgroup(workgroup, workgroups);
  if (place.x >= dispatch.endWorkgroup) {
    return;
  }
  let tile = tileOrder[place.x];
  let subtile = place.y;
  let isFirst = subtile == 0u && row == 0u;
  if (tile == 0u && isFirst) {
    emptyLists();
  }
  let p = subtile * SUBTILE_PIXELS + row * ROW;
  blendRow(tile, subtile, p);
  let pixel = pixelOfTile(tile, p);
  var squaredError = 0.0;
  for (var q = 0u; q < ROW; q++) {
    squaredError += finishPixel(tile, p + q, pixel + vec2u(q, 0u), states[q]);
  }
  // One row tells of the list for all.
  let length = select(0u, tileLists[tile].count, isFirst);
  tileStatistics[(tile * SUBTILES + subtile) * THREADS + row] = TileStatistics(squaredError, length, 1u);
}
