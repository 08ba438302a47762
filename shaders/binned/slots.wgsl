// A pixel's contribution to a blob's gradient, and the gradient from the sum over a blob's intersections. If a single
// pixel's gradient could reach the clamp, by a bound that the host computes, each pixel's gradient of the raw
// parameters is clamped; otherwise moments suffice. CPU references: gradientOfMoments in
// src/engine/model/support.ts, clampGradient in src/engine/model/accumulate.ts.
#import binned/lists.wgsl
#import shared/blend.wgsl
#import shared/loadBlob.wgsl

override CLAMPED: bool = false;
override LARGEST_GRADIENT: f32 = 10.0;

// An intersection's contribution: sums over the tile's pixels. With CLAMPED, the nine values are instead the gradients
// of the raw parameters, in the order of the buffers.
struct Slot {
  // Sums of dL/dpower times 1, x, y and x^2, where x and y are pixels from the blob's centre.
  a: vec4f,
  // Times xy and y^2; then red and green.
  b: vec4f,
  // Blue.
  c: f32,
  // The training step that wrote this; unused elements keep an older one.
  step: u32,
}

fn valuesOfSlot(slot: Slot) -> array<f32, PARAMETER_COUNT> {
  let a = slot.a;
  let b = slot.b;
  return array(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, slot.c);
}

// Returns a pixel's state in the backward pass, which runs front to back: T, and the remaining part of
// dL/dC . C + dL/dT T, to which the blobs from here on and the background contribute. With it dL/dalpha depends on the
// current blob alone.
fn backwardState(gradient: vec4f, state: vec4f) -> vec2f {
  return vec2f(state.a, gradient.a - dot(gradient.rgb, state.rgb));
}

// dL/dpower of a blob at a pixel, the weight alpha T of its colour there, and the state after it.
struct PixelDerivatives {
  dPower: f32,
  weight: f32,
  state: vec2f,
}

fn differentiatePixel(blob: PixelBlob, offset: vec2f, d: vec3f, state: vec2f) -> PixelDerivatives {
  let falloff = select(0.0, pixelFalloff(blob, offset), state.x >= LOWEST_TRANSMITTANCE);
  let value = blob.opacity * falloff;
  let alpha = min(HIGHEST_ALPHA, value);
  let alongColor = dot(d, blob.color);
  let weight = alpha * state.x;
  let rest = state.y - weight * alongColor;
  let dAlpha = state.x * alongColor - ATTENUATION * rest / (1.0 - ATTENUATION * alpha);
  // At its ceiling alpha is constant.
  let dPower = select(0.0, dAlpha * alpha, value < HIGHEST_ALPHA);
  return PixelDerivatives(dPower, weight, vec2f(state.x * (1.0 - ATTENUATION * alpha), rest));
}

// A blob, raw and decoded, to clamp gradients.
struct ClampBlob {
  raw: Blob,
  decoded: Blob,
}

fn clampBlob(i: u32) -> ClampBlob {
  if (CLAMPED) {
    return ClampBlob(rawBlob(i), loadBlob(i));
  }
  return ClampBlob();
}

// Adds a pixel's contribution at an offset from the blob's centre, in pixels.
fn addPixel(sum: ptr<function, Slot>, blob: ClampBlob, dPower: f32, offset: vec2f, dColor: vec3f) {
  let moment = Slot(
    dPower * vec4f(1.0, offset, offset.x * offset.x),
    vec4f(dPower * offset.y * offset, dColor.rg),
    dColor.b,
    0u,
  );
  if (CLAMPED) {
    let d = decodeBackward(blob.raw, gradientOfMoments(blob.decoded, moment));
    let low = vec4f(-LARGEST_GRADIENT);
    let high = vec4f(LARGEST_GRADIENT);
    (*sum).a += clamp(vec4f(d.center, d.variance), low, high);
    (*sum).b += clamp(vec4f(d.correlation, d.color), low, high);
    (*sum).c += clamp(d.opacity, low.x, high.x);
  } else {
    (*sum).a += moment.a;
    (*sum).b += moment.b;
    (*sum).c += moment.c;
  }
}

// Returns dL/d(decoded blob) from moments.
fn gradientOfMoments(blob: Blob, slot: Slot) -> Blob {
  // Standard deviations per pixel.
  let perPixel = inverseSqrt(blob.variance) / vec2f(job.textureSize);
  let rho = blob.correlation;
  let stretch = 1.0 / (1.0 - rho * rho);
  let first = slot.a.yz * perPixel;
  let xx = slot.a.w * perPixel.x * perPixel.x;
  let xy = slot.b.x * perPixel.x * perPixel.y;
  let yy = slot.b.y * perPixel.y * perPixel.y;
  return Blob(
    stretch * (first - rho * first.yx) * inverseSqrt(blob.variance),
    0.5 * stretch * (vec2f(xx, yy) - rho * xy) / blob.variance,
    stretch * (xy - rho * stretch * (xx - 2.0 * rho * xy + yy)),
    vec3f(slot.b.zw, slot.c),
    select(slot.a.x / blob.opacity, 0.0, blob.opacity == 0.0),
  );
}

// Returns dL/draw from the sum over all of a blob's intersections.
fn rawGradient(raw: Blob, sum: Slot) -> Blob {
  if (CLAMPED) {
    return Blob(sum.a.xy, sum.a.zw, sum.b.x, sum.b.yzw, sum.c);
  }
  return decodeBackward(raw, gradientOfMoments(decode(raw), sum));
}
