// The way back through a segment: what a pixel does to a blob's gradient, and a blob to the state of the pixel, front to
// back.
#import binned/segments.wgsl
#import binned/slots.wgsl
#import shared/blend.wgsl
#import shared/parameters.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(13) var<storage, read> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;
@group(0) @binding(15) var<storage, read_write> slots: array<Slot>;
@group(0) @binding(18) var<storage, read> segments: Segments;
@group(0) @binding(19) var<storage, read_write> segmentStates: array<vec4f>;
@group(0) @binding(20) var<storage, read> pixelGradients: array<vec4f>;

// No pixel takes a blob of this segment.
fn isDead(segment: Segment, s: u32) -> bool {
  let tileList = tileLists[segment.tile];
  return s - tileList.firstSegment >= tileList.blendedSegments;
}

// The pixel's state as the way back sees it: T, and what is still to come of dL/dC . C + dL/dT T. With that rest
// dL/dalpha needs no blob but this one.
fn beginning(gradient: vec4f, state: vec4f) -> vec2f {
  return vec2f(state.a, gradient.a - dot(gradient.rgb, state.rgb));
}

// A blob on its way through the pixels.
struct HeldBlob {
  blob: PixelBlob,
  clampable: ClampBlob,
  sum: Slot,
  // Where the sum goes, if anywhere.
  slot: u32,
  isThere: bool,
}

fn held(segment: Segment, k: u32) -> HeldBlob {
  let isThere = k < segment.count;
  let entry = list[segment.first + select(0u, k, isThere)];
  let i = 3u * entry.x;
  var blob = unpackBlob(pixelBlobs[i], pixelBlobs[i + 1u], pixelBlobs[i + 2u]);
  blob.opacity = select(0.0, blob.opacity, isThere);
  var clampable = ClampBlob();
  if (CLAMPED) {
    clampable = ClampBlob(rawBlob(entry.x), loadBlob(entry.x));
  }
  return HeldBlob(blob, clampable, Slot(), entry.y, isThere);
}

fn keep(held: HeldBlob) {
  if (held.isThere) {
    slots[held.slot] = held.sum;
  }
}

// Adds the pixel's part to the sum and returns the state behind the blob.
fn passPixel(held: ptr<function, HeldBlob>, pixel: vec2f, d: vec3f, state: vec2f) -> vec2f {
  let blob = (*held).blob;
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
  addPixel(&(*held).sum, (*held).clampable, dPower, point, weight * d);
  return vec2f(state.x * (1.0 - alpha), rest);
}
