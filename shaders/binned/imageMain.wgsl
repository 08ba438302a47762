// Renders the blobs from their lists: forward alone, a thread a pixel.
#import binned/lists.wgsl
#import shared/blend.wgsl
#import shared/loss.wgsl

@group(0) @binding(9) var<storage, read_write> picture: array<vec4f>;
@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(13) var<storage, read> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let tile = linearWorkgroup(workgroup, workgroups);
  if (tile >= dispatch.endWorkgroup) {
    return;
  }
  let place = threadPlace(tile, localIndex, dispatch.renderSize);
  let range = vec2u(tileLists[tile].first, tileLists[tile].count);
  var state = clearPixelState();
  for (var k = 0u; k < range.y && state.value.a >= LOWEST_TRANSMITTANCE; k++) {
    let i = list[range.x + k].x;
    let blob = unpackBlob(pixelBlobs[3u * i], pixelBlobs[3u * i + 1u], pixelBlobs[3u * i + 2u]);
    let point = (vec2f(place.pixel) - blob.center) * blob.perDeviation;
    let alpha = min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, point));
    state = PixelState(alphaBlend(state.value, vec4f(blob.color, alpha)), k + 1u);
  }
  if (place.inside) {
    picture[place.pixel.y * dispatch.renderSize.x + place.pixel.x] = vec4f(composite(state.value), state.value.a);
  }
}
