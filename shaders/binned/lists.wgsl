// What the stages of the binned pipeline share: blobs in pixels, the pairs of a tile and a blob, and their slots.
// Twin of gradientOfMoments: src/engine/cpu/support.ts.
#import shared/config.wgsl
#import shared/uv.wgsl

// A decoded blob on the render's pixels, whitened: a pixel is (pixel - center) * perDeviation standard deviations away.
struct PixelBlob {
  center: vec2f,
  perDeviation: vec2f,
  correlation: f32,
  // -1/2 / (1 - correlation^2) * log2(e): the power to base 2 is this times the squared distance.
  bend: f32,
  opacity: f32,
  color: vec3f,
}

// The lowest power, to base 2.
const LOWEST_POWER_2 = LOWEST_POWER * 1.4426950408889634;

// A tile and a blob that meet, and the pair's place among those that the blob's copy of the counters counts.
struct Pair {
  tile: u32,
  position: u32,
  blob: u32,
}

// The pairs of a blob: the first, their number, and which of the first 32 are there, a bit each.
struct BlobPairs {
  first: u32,
  count: u32,
  met: u32,
}

// What a pair adds to its blob's gradient, summed over the tile's pixels.
struct Slot {
  // Of dL/dpower: its sum, times x, times y, times x^2.
  a: vec4f,
  // Times xy, times y^2; then red and green.
  b: vec4f,
  // Blue.
  c: vec4f,
}

// A tile's part of the list buffer, its first segment, and up to which segment some pixel takes blobs.
struct TileList {
  first: u32,
  count: u32,
  firstSegment: u32,
  blendedSegments: u32,
}

struct Status {
  // Pairs that there are, or would be if there were room.
  pairs: atomic<u32>,
  // Entries of the lists that are given out.
  entries: atomic<u32>,
  // 1 from where there was no room: every kernel then does nothing until the host has made some.
  halted: atomic<u32>,
  // Steps done.
  steps: u32,
  // Pairs that there is room for.
  capacity: u32,
}

override SEGMENT_LENGTH: u32 = 64;

fn segmentsOf(entries: u32) -> u32 {
  return (entries + SEGMENT_LENGTH - 1u) / SEGMENT_LENGTH;
}

fn packBlob(blob: PixelBlob) -> array<vec4f, 3> {
  return array(
    vec4f(blob.center, blob.perDeviation),
    vec4f(blob.correlation, blob.bend, blob.opacity, 0.0),
    vec4f(blob.color, 0.0),
  );
}

fn unpackBlob(a: vec4f, b: vec4f, c: vec4f) -> PixelBlob {
  return PixelBlob(a.xy, a.zw, b.x, b.y, b.z, c.rgb);
}

// e^power at a point given in standard deviations; 0 outside the support.
fn pixelFalloff(blob: PixelBlob, point: vec2f) -> f32 {
  let distance = dot(point, point) - 2.0 * blob.correlation * point.x * point.y;
  let power = blob.bend * distance;
  return select(0.0, exp2(power), power >= LOWEST_POWER_2);
}

// dL/d(decoded blob) from its slots' sum.
fn gradientOfMoments(blob: Blob, slot: Slot) -> Blob {
  let rho = blob.correlation;
  let stretch = 1.0 / (1.0 - rho * rho);
  let first = slot.a.yz;
  let xx = slot.a.w;
  let xy = slot.b.x;
  let yy = slot.b.y;
  return Blob(
    stretch * (first - rho * first.yx) * inverseSqrt(blob.variance),
    0.5 * stretch * (vec2f(xx, yy) - rho * xy) / blob.variance,
    stretch * (xy - rho * stretch * (xx - 2.0 * rho * xy + yy)),
    vec3f(slot.b.zw, slot.c.x),
    select(slot.a.x / blob.opacity, 0.0, blob.opacity == 0.0),
  );
}
