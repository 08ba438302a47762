// The way back through a segment: what a pixel does to a blob's gradient, and a blob to the state of the pixel, front to
// back.
#import binned/segments.wgsl
#import binned/slots.wgsl
#import shared/blend.wgsl
#import shared/parameters.wgsl

@group(0) @binding(14) var<storage, read> list: array<vec4u>;
@group(0) @binding(16) var<storage, read> status: FinalStatus;
@group(0) @binding(18) var<storage, read> segments: array<Segment>;
@group(0) @binding(20) var<storage, read> pixelGradients: array<vec4f>;

// None where the lists are halted.
fn segmentCount() -> u32 {
  return select(status.segments, 0u, status.halted != 0u);
}

// The pixel's state as the way back sees it: T, and what is still to come of dL/dC . C + dL/dT T. With that rest
// dL/dalpha needs no blob but this one.
fn beginning(gradient: vec4f, state: vec4f) -> vec2f {
  return vec2f(state.a, gradient.a - dot(gradient.rgb, state.rgb));
}

fn clampBlob(i: u32) -> ClampBlob {
  if (CLAMPED) {
    return ClampBlob(rawBlob(i), loadBlob(i));
  }
  return ClampBlob();
}

// dL/dpower of a blob at a pixel, and the weight alpha T with which its colour counts there; then the state behind it.
struct Passed {
  dPower: f32,
  weight: f32,
  state: vec2f,
}

fn passPixel(blob: PixelBlob, offset: vec2f, d: vec3f, state: vec2f) -> Passed {
  let falloff = select(0.0, pixelFalloff(blob, offset), state.x >= LOWEST_TRANSMITTANCE);
  let value = blob.opacity * falloff;
  let alpha = min(HIGHEST_ALPHA, value);
  let alongColor = dot(d, blob.color);
  let weight = alpha * state.x;
  let rest = state.y - weight * alongColor;
  let dAlpha = state.x * alongColor - ATTENUATION * rest / (1.0 - ATTENUATION * alpha);
  // At its ceiling alpha is constant.
  let dPower = select(0.0, dAlpha * alpha, value < HIGHEST_ALPHA);
  return Passed(dPower, weight, vec2f(state.x * (1.0 - ATTENUATION * alpha), rest));
}
