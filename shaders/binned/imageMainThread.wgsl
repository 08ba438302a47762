// Renders the blobs from their lists without barriers: forward alone, a thread a row of pixels.
#import binned/forwardThread.wgsl
#import binned/picture.wgsl

fn keepState(segment: u32, p: u32, state: vec4f) {}

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
  let p = place.y * SUBTILE_PIXELS + row * ROW;
  blendRow(place.x, place.y, p);
  let pixel = pixelOfTile(place.x, p);
  for (var q = 0u; q < ROW; q++) {
    drawPixel(place.x, pixel + vec2u(q, 0u), states[q]);
  }
}
