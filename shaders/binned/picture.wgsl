// The picture that is drawn from the lists.
#import binned/segments.wgsl
#import shared/loss.wgsl

@group(0) @binding(9) var<storage, read_write> picture: array<vec4f>;

fn drawPixel(tile: u32, pixel: vec2u, state: vec4f) {
  if (isInside(tile, pixel)) {
    picture[pixel.y * dispatch.renderSize.x + pixel.x] = vec4f(composite(state), state.a);
  }
}
