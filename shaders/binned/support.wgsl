// Tests which tiles a blob's support, its 4-sigma ellipse, overlaps. CPU reference: meetsTile in
// src/engine/model/support.ts.
#import binned/lists.wgsl

const HALF_LOG2_E = 0.5 * 1.4426950408889634;

fn pixelBlob(blob: Blob, mapping: UvMapping) -> PixelBlob {
  let perPixel = inverseSqrt(blob.variance) * mapping.scale;
  let bend = -HALF_LOG2_E / (1.0 - blob.correlation * blob.correlation);
  let across = -2.0 * blob.correlation * perPixel.x * perPixel.y;
  let conic = bend * vec3f(perPixel.x * perPixel.x, across, perPixel.y * perPixel.y);
  return PixelBlob((blob.center - mapping.offset) / mapping.scale, conic, blob.opacity, blob.color);
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

// Returns column and row of the range's tile k.
fn tileOf(range: TileRange, k: u32) -> vec2u {
  let across = range.high.x - range.low.x;
  return range.low + vec2u(k % across, k / across);
}

// Packs a blob with the index of its first intersection and the tiles around it, one intersection each: their number
// across and down, and column and row of the first.
fn packIntersections(blob: PixelBlob, first: u32, range: TileRange) -> PackedBlob {
  let size = max(range.high, range.low) - range.low;
  return packBlob(blob, vec3u(first, size.x | (size.y << 16u), range.low.x | (range.low.y << 16u)));
}

fn unpack16(packed: u32) -> vec2u {
  return vec2u(packed & 0xffffu, packed >> 16u);
}

// Returns the index of a blob's first intersection, and their number.
fn intersectionsOf(packed: PackedBlob) -> vec2u {
  let size = unpack16(packed.c.z);
  return vec2u(packed.c.y, size.x * size.y);
}

// Returns the index of a blob's intersection with the tile at a column and row.
fn intersectionWith(packed: PackedBlob, place: vec2u) -> u32 {
  let offset = place - unpack16(packed.c.w);
  return packed.c.y + offset.y * unpack16(packed.c.z).x + offset.x;
}

// Returns the tiles that overlap the ellipse's bounding box, which extends 4 standard deviations along each axis. The
// conic alone would not give these of a thin tilted ellipse, whose correlation is close to 1, in float32.
fn tilesAround(blob: PixelBlob, correlation: f32, renderSize: vec2u) -> TileRange {
  let tile = vec2f(vec2u(TILE_WIDTH, TILE_HEIGHT));
  let tiles = ceil(vec2f(renderSize) / tile);
  let perPixel = sqrt((1.0 - correlation * correlation) / -HALF_LOG2_E * blob.conic.xz);
  let reach = DEVIATIONS / perPixel + 0.01;
  let low = clamp(floor((blob.center - reach) / tile), vec2f(), tiles);
  let high = clamp(floor((blob.center + reach) / tile) + 1.0, vec2f(), tiles);
  return TileRange(vec2u(low), vec2u(high));
}

fn meetsTile(blob: PixelBlob, tile: vec2u) -> bool {
  let size = vec2u(TILE_WIDTH, TILE_HEIGHT);
  return meetsPixels(blob, vec2f(tile * size), vec2f(tile * size + size - 1u));
}

// Returns column and row of a tile.
fn tileCoordinates(tile: u32) -> vec2u {
  let across = tilesAcross(dispatch.renderSize);
  return vec2u(tile % across, tile / across);
}

// Returns one bit per subtile of a tile that a blob overlaps.
fn subtilesMet(blob: PixelBlob, tile: u32) -> u32 {
  var met = 0u;
  for (var subtile = 0u; subtile < SUBTILES; subtile++) {
    let first = vec2f(subtileOrigin(tile, subtile));
    if (meetsPixels(blob, first, first + vec2f(vec2u(SUBTILE_WIDTH, SUBTILE_HEIGHT) - 1u))) {
      met |= subtileBit(subtile);
    }
  }
  return met;
}

// Returns whether the rectangle between two pixels overlaps the support: the rectangle's nearest point decides.
fn meetsPixels(blob: PixelBlob, first: vec2f, last: vec2f) -> bool {
  let low = first - blob.center;
  let high = last - blob.center;
  // If the centre is inside, the power is 0; otherwise it is highest on a side that faces the centre.
  let nearest = clamp(vec2f(), low, high);
  var highest = select(-1e30, 0.0, all(nearest == vec2f()));
  if (nearest.x != 0.0) {
    let y = clamp(-0.5 * blob.conic.y / blob.conic.z * nearest.x, low.y, high.y);
    highest = max(highest, pixelPower(blob, vec2f(nearest.x, y)));
  }
  if (nearest.y != 0.0) {
    let x = clamp(-0.5 * blob.conic.y / blob.conic.x * nearest.y, low.x, high.x);
    highest = max(highest, pixelPower(blob, vec2f(x, nearest.y)));
  }
  // Slightly enlarged against rounding: an extra intersection changes nothing.
  return highest >= 1.000625 * LOWEST_POWER_2;
}
