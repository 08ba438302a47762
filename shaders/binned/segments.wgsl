// Long lists are worked on in parts, side by side: blending is associative. A segment is a part of a tile's list.
#import binned/lists.wgsl

// Within a tile, blobs are worked on for 32 pixels at a time: a subtile. Most blobs of a tile do not meet all its subtilees.
const SUBTILE_WIDTH = 8u;
const SUBTILE_HEIGHT = 4u;
const SUBTILE_PIXELS = SUBTILE_WIDTH * SUBTILE_HEIGHT;

override SUBTILES_ACROSS: u32 = (TILE_WIDTH + SUBTILE_WIDTH - 1u) / SUBTILE_WIDTH;
override SUBTILES: u32 = SUBTILES_ACROSS * ((TILE_HEIGHT + SUBTILE_HEIGHT - 1u) / SUBTILE_HEIGHT);
// Pixels of a tile, subtile by subtile; those of a subtile that reaches over the tile's edge included.
override TILE_PIXELS: u32 = SUBTILES * SUBTILE_PIXELS;

struct Segment {
  tile: u32,
  // First entry and number of entries.
  first: u32,
  count: u32,
}

// The first pixel of a tile's subtile.
fn subtileOrigin(tile: u32, subtile: u32) -> vec2u {
  let origin = threadPlace(tile, 0u, dispatch.renderSize).origin;
  return origin + vec2u(subtile % SUBTILES_ACROSS * SUBTILE_WIDTH, subtile / SUBTILES_ACROSS * SUBTILE_HEIGHT);
}

// Pixel p of a tile, counted subtile by subtile.
fn pixelOfTile(tile: u32, p: u32) -> vec2u {
  return subtileOrigin(tile, p / SUBTILE_PIXELS) + vec2u(p % SUBTILE_WIDTH, p % SUBTILE_PIXELS / SUBTILE_WIDTH);
}

// Whether a pixel belongs to the tile and to the render.
fn isInside(tile: u32, pixel: vec2u) -> bool {
  let end = threadPlace(tile, 0u, dispatch.renderSize).origin + vec2u(TILE_WIDTH, TILE_HEIGHT);
  return all(pixel < min(end, dispatch.renderSize));
}

// What is outside takes no blob.
fn clearState(tile: u32, pixel: vec2u) -> vec4f {
  return vec4f(0.0, 0.0, 0.0, select(0.0, 1.0, isInside(tile, pixel)));
}

// What the forward pass leaves for each segment: the state of each pixel before it, and how many of its entries each
// subtile takes at most, 0 where all its pixels are opaque before. Where a thread takes a row it leaves the states alone, and those of all segments.
override SEGMENT_STRIDE: u32 = TILE_PIXELS + (SUBTILES + 3u) / 4u;

// The bit of a subtile; where a tile has more than 32, several share one.
fn subtileBit(subtile: u32) -> u32 {
  return 1u << (subtile % 32u);
}

// Tile and subtile of a workgroup, where there is one for each subtile of the dispatch's tiles.
fn subtileOfWorkgroup(workgroup: vec3u, workgroups: vec3u) -> vec2u {
  let first = dispatch.firstWorkgroup;
  let w = linearWorkgroup(workgroup, workgroups) - first;
  return vec2u(first + w / SUBTILES, w % SUBTILES);
}
