// Renders the blobs at any size: forward alone.
#import simple/simpleSplatBlobs.wgsl
#import shared/loss.wgsl

// Red, green, blue and transmittance of each pixel.
@group(0) @binding(9) var<storage, read_write> picture: array<vec4f>;

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let place = threadPlace(linearWorkgroup(workgroup, workgroups), localIndex, dispatch.renderSize);
  if (!place.inside) {
    return;
  }
  let mapping = calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize));
  let state = simpleSplatBlobs(vec2f(place.pixel) * mapping.scale + mapping.offset);
  picture[place.pixel.y * dispatch.renderSize.x + place.pixel.x] = vec4f(composite(state.value), state.value.a);
}
