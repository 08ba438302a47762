// Renders the blobs from their lists: forward alone.
#import binned/forward.wgsl
#import binned/picture.wgsl

fn keepState(segment: u32, p: u32, state: vec4f) {}

fn keepTaken(segment: u32, subtile: u32, entries: u32) {}

// Long lists first, as in rasterize.
@group(0) @binding(23) var<storage, read> tileOrder: array<u32>;

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
  let pixel = pixelOfTile(tile, place.y * SUBTILE_PIXELS + localIndex);
  let clear = clearState(tile, pixel);
  drawPixel(tile, pixel, blendList(listOf(tile, localIndex), place.y, localIndex, vec2f(pixel), clear));
}
