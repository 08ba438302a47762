// Renders the blobs from their lists: forward alone.
#import binned/forward.wgsl
#import shared/loss.wgsl

@group(0) @binding(9) var<storage, read_write> picture: array<vec4f>;

fn keepState(segment: u32, subtile: u32, localIndex: u32, state: vec4f) {}

fn keepOpen(segment: u32, subtile: u32, isOpen: bool) {}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let place = subtileOfWorkgroup(workgroup, workgroups);
  let tile = place.x;
  if (tile >= dispatch.endWorkgroup) {
    return;
  }
  let pixel = pixelOfTile(tile, place.y * SUBTILE_PIXELS + localIndex);
  let inside = isInside(tile, pixel);
  let clear = vec4f(0.0, 0.0, 0.0, select(0.0, 1.0, inside));
  let state = blendList(listOf(tile, localIndex), place.y, localIndex, vec2f(pixel), clear);
  if (inside) {
    picture[pixel.y * dispatch.renderSize.x + pixel.x] = vec4f(composite(state), state.a);
  }
}
