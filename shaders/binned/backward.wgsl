// What a pixel does to a blob's gradient, and a blob to the state of the pixel, front to back.
#import binned/slots.wgsl
#import shared/blend.wgsl
#import shared/parameters.wgsl

fn clampBlob(i: u32) -> ClampBlob {
  if (!CLAMPED) {
    return ClampBlob();
  }
  return ClampBlob(rawBlob(i), loadBlob(i));
}

// Adds the pixel's part to `sum` and returns the state behind the blob: T, and what is then still to come of
// dL/dC . C + dL/dT T. With that rest dL/dalpha needs no blob but this one.
fn passPixel(
  sum: ptr<function, Slot>,
  blob: PixelBlob,
  clampable: ClampBlob,
  pixel: vec2f,
  d: vec3f,
  state: vec2f,
) -> vec2f {
  let point = (pixel - blob.center) * blob.perDeviation;
  let falloff = select(0.0, pixelFalloff(blob, point), state.x >= LOWEST_TRANSMITTANCE);
  let value = blob.opacity * falloff;
  let alpha = min(HIGHEST_ALPHA, value);
  let alongColor = dot(d, blob.color);
  let weight = alpha * state.x;
  let rest = state.y - weight * alongColor;
  let dAlpha = state.x * alongColor - rest / (1.0 - alpha);
  // At its ceiling alpha is constant.
  let dPower = select(0.0, dAlpha * alpha, value < HIGHEST_ALPHA);
  addPixel(sum, clampable, dPower, point, weight * d);
  return vec2f(state.x * (1.0 - alpha), rest);
}
