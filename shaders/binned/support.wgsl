// Which tiles a blob's support, its 4-sigma ellipse, meets. Twin: src/engine/cpu/support.ts.
#import binned/lists.wgsl

const NO_TILE = 0xffffffffu;

fn pixelBlob(blob: Blob, mapping: UvMapping) -> PixelBlob {
  let bend = -0.5 * 1.4426950408889634 / (1.0 - blob.correlation * blob.correlation);
  let center = (blob.center - mapping.offset) / mapping.scale;
  return PixelBlob(
    center, inverseSqrt(blob.variance) * mapping.scale, blob.correlation, bend, blob.opacity, blob.color);
}

// Tiles are counted in several copies, each by some of the blobs: many would wait for one counter.
override COPIES: u32 = 8;

fn copyOf(blob: u32) -> u32 {
  return (blob / 128u) % COPIES;
}

fn tileCount(renderSize: vec2u) -> u32 {
  return tilesAcross(renderSize) * ((renderSize.y + TILE_HEIGHT - 1u) / TILE_HEIGHT);
}

// Tiles low <= tile < high, by column and row.
struct TileRange {
  low: vec2u,
  high: vec2u,
}

fn tilesOf(range: TileRange) -> u32 {
  let size = max(range.high, range.low) - range.low;
  return size.x * size.y;
}

// Column and row of the range's tile k.
fn tileOf(range: TileRange, k: u32) -> vec2u {
  let across = range.high.x - range.low.x;
  return range.low + vec2u(k % across, k / across);
}

fn tilesAcross(renderSize: vec2u) -> u32 {
  return (renderSize.x + TILE_WIDTH - 1u) / TILE_WIDTH;
}

// The tiles that the ellipse's bounding box meets: it reaches 4 standard deviations along each axis.
fn tilesAround(blob: PixelBlob, renderSize: vec2u) -> TileRange {
  let tile = vec2f(vec2u(TILE_WIDTH, TILE_HEIGHT));
  let tiles = ceil(vec2f(renderSize) / tile);
  let reach = DEVIATIONS / blob.perDeviation + 0.01;
  let low = clamp(floor((blob.center - reach) / tile), vec2f(), tiles);
  let high = clamp(floor((blob.center + reach) / tile) + 1.0, vec2f(), tiles);
  return TileRange(vec2u(low), vec2u(high));
}

// Whether a pixel of the tile can lie on the support. In standard deviations the support is
// x^2 - 2 rho x y + y^2 <= 16 (1 - rho^2) and the tile a box, whose nearest point decides.
fn meetsTile(blob: PixelBlob, tile: vec2u) -> bool {
  let size = vec2u(TILE_WIDTH, TILE_HEIGHT);
  let low = (vec2f(tile * size) - blob.center) * blob.perDeviation;
  let high = (vec2f(tile * size + size - 1u) - blob.center) * blob.perDeviation;
  let rho = blob.correlation;
  // Where the centre is inside both ranges the distance is 0; otherwise the minimum lies on the side that faces it.
  let nearest = clamp(vec2f(), low, high);
  var least = 1e30;
  if (all(nearest == vec2f())) {
    least = 0.0;
  }
  if (nearest.x != 0.0) {
    let y = clamp(rho * nearest.x, low.y, high.y);
    least = min(least, nearest.x * nearest.x - 2.0 * rho * nearest.x * y + y * y);
  }
  if (nearest.y != 0.0) {
    let x = clamp(rho * nearest.y, low.x, high.x);
    least = min(least, nearest.y * nearest.y - 2.0 * rho * x * nearest.y + x * x);
  }
  // A little more than 16, for rounding: a pair too many changes nothing.
  return least <= 16.01 * (1.0 - rho * rho);
}
