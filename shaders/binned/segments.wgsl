// Long lists are worked on in parts, side by side: blending is associative. A segment is a part of a tile's list.
#import binned/lists.wgsl

override TILE_PIXELS: u32 = TILE_WIDTH * TILE_HEIGHT;

struct Segment {
  tile: u32,
  // First entry and number of entries.
  first: u32,
  count: u32,
}

// All segments; none where the lists are halted.
struct Segments {
  count: u32,
  items: array<Segment>,
}

// A pixel of a tile. Tiles at the edge have pixels outside the render.
fn pixelOfTile(tile: u32, p: u32) -> vec2u {
  return threadPlace(tile, 0u, dispatch.renderSize).origin + vec2u(p % TILE_WIDTH, p / TILE_WIDTH);
}
