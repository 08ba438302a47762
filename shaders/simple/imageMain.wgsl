// Renders the blobs at any size: the forward pass alone. CPU reference: draw in src/engine/model/rasterize.ts.
#import simple/simpleSplatBlobs.wgsl
#import shared/loss.wgsl

// Red, green, blue and transmittance of each pixel.
@group(0) @binding(9) var<storage, read_write> render: array<vec4f>;

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let place = threadPlace(dispatch.first + linearWorkgroup(workgroup), localIndex, dispatch.renderSize);
  let state = simpleSplatBlobs(pixelUV(place.pixel));
  if (place.inside) {
    render[place.pixel.y * dispatch.renderSize.x + place.pixel.x] = vec4f(composite(state.value), state.value.a);
  }
}
