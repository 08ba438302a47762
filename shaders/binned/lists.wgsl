// What the stages of the binned pipeline share: blobs in pixels, the pairs of a tile and a blob, and their slots.
// Twin of gradientOfMoments: src/engine/model/support.ts.
#import shared/config.wgsl
#import shared/uv.wgsl

// A decoded blob on the render's pixels.
struct PixelBlob {
  center: vec2f,
  // The power to base 2 at an offset d in pixels is x dx^2 + y dx dy + z dy^2.
  conic: vec3f,
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

// What a pair adds to its blob's gradient, summed over the tile's pixels.
struct Slot {
  // Of dL/dpower: its sum, times x, times y, times x^2; x and y count pixels from the blob's centre.
  a: vec4f,
  // Times xy, times y^2; then red and green.
  b: vec4f,
  // Blue.
  c: f32,
  // The training step of which this is: a place for a pair that is not there keeps an old one.
  step: u32,
}

// A tile's part of the list buffer, and its first segment.
struct TileList {
  first: u32,
  count: u32,
  firstSegment: u32,
}

struct Status {
  // Pairs that there are, or would be if there were room.
  pairs: atomic<u32>,
  // Entries of the lists, and their segments, that are given out.
  entries: atomic<u32>,
  segments: atomic<u32>,
  // Tiles that are to come first since their lists are long, and the others.
  longTiles: atomic<u32>,
  shortTiles: atomic<u32>,
  // 1 from where there was no room: every kernel then does nothing until the host has made some.
  halted: atomic<u32>,
  // Steps done.
  steps: u32,
  // Pairs that there is room for.
  capacity: u32,
}

// The same, to read alone.
struct FinalStatus {
  pairs: u32,
  entries: u32,
  segments: u32,
  longTiles: u32,
  shortTiles: u32,
  halted: u32,
}

override SEGMENT_LENGTH: u32 = 64;

fn segmentsOf(entries: u32) -> u32 {
  return (entries + SEGMENT_LENGTH - 1u) / SEGMENT_LENGTH;
}

// A blob on the pixels takes nine words of three vectors, whose last three serve something else.
struct PackedBlob {
  a: vec4u,
  b: vec4u,
  c: vec4u,
}

fn packBlob(blob: PixelBlob, rest: vec3u) -> array<vec4u, 3> {
  return array(
    bitcast<vec4u>(vec4f(blob.center, blob.conic.xy)),
    bitcast<vec4u>(vec4f(blob.conic.z, blob.opacity, blob.color.rg)),
    vec4u(bitcast<u32>(blob.color.b), rest),
  );
}

fn unpackBlob(a: vec4u, b: vec4u, c: vec4u) -> PixelBlob {
  let shape = bitcast<vec4f>(a);
  let look = bitcast<vec4f>(b);
  return PixelBlob(shape.xy, vec3f(shape.zw, look.x), look.y, vec3f(look.zw, bitcast<f32>(c.x)));
}

// An entry of a tile's list: the blob, its number, the pair's, and which of the tile's subtiles it meets, a bit each.
struct Entry {
  blob: PixelBlob,
  index: u32,
  pair: u32,
  subtiles: u32,
}

fn unpackEntry(a: vec4u, b: vec4u, c: vec4u) -> Entry {
  return Entry(unpackBlob(a, b, c), c.y, c.z, c.w);
}

fn pixelPower(blob: PixelBlob, offset: vec2f) -> f32 {
  return offset.x * (blob.conic.x * offset.x + blob.conic.y * offset.y) + blob.conic.z * offset.y * offset.y;
}

// e^power at an offset; 0 outside the support.
fn pixelFalloff(blob: PixelBlob, offset: vec2f) -> f32 {
  let power = pixelPower(blob, offset);
  return select(0.0, exp2(power), power >= LOWEST_POWER_2);
}

// dL/d(decoded blob) from its slots' sum; a pixel is `perPixel` standard deviations wide and high.
fn gradientOfMoments(blob: Blob, perPixel: vec2f, slot: Slot) -> Blob {
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
