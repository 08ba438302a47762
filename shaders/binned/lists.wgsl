// Shared by the stages: projected blobs, tile–blob intersections, tile lists, and pixel positions. Numbered files are
// the stages. A step dispatches 5 and 6, then 7 and 1 as one kernel, then 2 to 4, which build the lists of the next
// step; before the first step, 1 to 4 run alone. Stage 6 has two variants. If the lists of the whole image do not fit,
// they are built for one band at a time: some rows of tiles. Pixels and tiles are then counted from the band's first
// ones, and dispatch.top is its first row of pixels. CPU reference: pixelBlob in src/engine/model/support.ts.
#import shared/uv.wgsl

fn tilesAcross(renderSize: vec2u) -> u32 {
  return (renderSize.x + TILE_WIDTH - 1u) / TILE_WIDTH;
}

// A decoded blob, in pixels of the render.
struct PixelBlob {
  center: vec2f,
  // The power to base 2 at an offset d in pixels is x dx^2 + y dx dy + z dy^2.
  conic: vec3f,
  opacity: f32,
  color: vec3f,
}

// The same in nine words, then the range of its intersections: see packIntersections.
struct PackedBlob {
  a: vec4u,
  b: vec4u,
  c: vec4u,
}

fn packBlob(blob: PixelBlob, intersections: vec3u) -> PackedBlob {
  return PackedBlob(
    bitcast<vec4u>(vec4f(blob.center, blob.conic.xy)),
    bitcast<vec4u>(vec4f(blob.conic.z, blob.opacity, blob.color.rg)),
    vec4u(bitcast<u32>(blob.color.b), intersections),
  );
}

fn unpackBlob(packed: PackedBlob) -> PixelBlob {
  let shape = bitcast<vec4f>(packed.a);
  let appearance = bitcast<vec4f>(packed.b);
  let color = vec3f(appearance.zw, bitcast<f32>(packed.c.x));
  return PixelBlob(shape.xy, vec3f(shape.zw, appearance.x), appearance.y, color);
}

// LOWEST_POWER to base 2.
const LOWEST_POWER_2 = LOWEST_POWER * 1.4426950408889634;

fn pixelPower(blob: PixelBlob, offset: vec2f) -> f32 {
  return offset.x * (blob.conic.x * offset.x + blob.conic.y * offset.y) + blob.conic.z * offset.y * offset.y;
}

// Returns e^power at an offset; 0 outside the support.
fn pixelFalloff(blob: PixelBlob, offset: vec2f) -> f32 {
  let power = pixelPower(blob, offset);
  return select(0.0, exp2(power), power >= LOWEST_POWER_2);
}

// A tile–blob intersection: the shard of the tile's list (see shardStart), the position in that shard, and the blob.
struct Intersection {
  shard: u32,
  position: u32,
  blob: u32,
}

// Shard of an unused element, for a tile near the blob that does not overlap it.
const NO_SHARD = 0xffffffffu;

// Each tile counts its intersections in several shards, each a range of blobs. Fewer threads then contend for a
// counter, and short ranges are sorted fast.
override SHARDS: u32 = 8;

// A multiple of the number of blobs per workgroup.
fn blobsPerShard() -> u32 {
  return (job.blobCount + 16u * SHARDS - 1u) / (16u * SHARDS) * 16u;
}

// Returns the index of a tile's shard in shardStarts: the start of each shard's entries, and the end of the last one's.
fn shardStart(tile: u32, shard: u32) -> u32 {
  return tile * (SHARDS + 1u) + shard;
}

// Returns the index in status.tiles of a shard's first blob, after the `half` that counts. The previous step's sorting
// divides each list evenly. Stored as the difference from an even division of all blobs, so zeros are valid.
fn shardBound(half: u32, tile: u32, shard: u32) -> u32 {
  return half + tile * SHARDS + shard;
}

// Returns the number of words of a tile's bits.
fn wordsOfTile() -> u32 {
  return (job.blobCount + 31u) / 32u;
}

// A tile's range of the list buffer, and its first segment.
struct TileList {
  tile: u32,
  first: u32,
  count: u32,
  firstSegment: u32,
}

// An entry of a tile's list: indices of the blob and the intersection, and one bit per subtile that the blob overlaps.
// Blending reads the blob itself: copies in the entries would dominate the memory traffic of a step.
struct Entry {
  blob: u32,
  intersection: u32,
  subtiles: u32,
}

// A segment is a range of a tile's list. Segments are processed in parallel, because blending is associative.
struct Segment {
  tile: u32,
  // First entry and number of entries.
  first: u32,
  count: u32,
}

override SEGMENT_LENGTH: u32 = 64;

fn segmentsOf(entries: u32) -> u32 {
  return (entries + SEGMENT_LENGTH - 1u) / SEGMENT_LENGTH;
}

struct Status {
  // Intersections, also those that do not fit.
  intersections: atomic<u32>,
  // Allocated entries of the lists, and segments.
  entries: atomic<u32>,
  segments: atomic<u32>,
  // Tiles with long lists, which are processed first, and the others.
  longTiles: atomic<u32>,
  shortTiles: atomic<u32>,
  // 1 after an overflow: all kernels do nothing until the host has grown the buffers.
  overflowed: atomic<u32>,
  // Steps done.
  steps: u32,
  // Intersections that fit.
  capacity: u32,
  // Number of intersections of each tile, shard by shard, then the first blob of each shard, tile by tile (see
  // shardBound). If tiles gather their lists: one bit per blob, tile by tile.
  tiles: array<atomic<u32>>,
}

// The status once all intersections are counted: only allocations still need atomics.
struct CountedStatus {
  intersections: u32,
  entries: atomic<u32>,
  segments: atomic<u32>,
  longTiles: atomic<u32>,
  shortTiles: atomic<u32>,
  overflowed: u32,
  steps: u32,
  capacity: u32,
  tiles: array<u32>,
}

// The head of the status, read-only.
struct FinalStatus {
  intersections: u32,
  entries: u32,
  segments: u32,
  longTiles: u32,
  shortTiles: u32,
  overflowed: u32,
}

// A tile is processed in subtiles of 32 pixels. Most blobs of a tile do not overlap all of its subtiles.
const SUBTILE_WIDTH = 8u;
const SUBTILE_HEIGHT = 4u;
const SUBTILE_PIXELS = SUBTILE_WIDTH * SUBTILE_HEIGHT;

override SUBTILES_ACROSS: u32 = (TILE_WIDTH + SUBTILE_WIDTH - 1u) / SUBTILE_WIDTH;
override SUBTILES: u32 = SUBTILES_ACROSS * ((TILE_HEIGHT + SUBTILE_HEIGHT - 1u) / SUBTILE_HEIGHT);
// Pixels of a tile, subtile by subtile, including pixels of subtiles beyond the tile's edge.
override TILE_PIXELS: u32 = SUBTILES * SUBTILE_PIXELS;

// Returns the bit of a subtile. If a tile has more than 32, several share a bit.
fn subtileBit(subtile: u32) -> u32 {
  return 1u << (subtile % 32u);
}

// Returns the first pixel of a tile's subtile.
fn subtileOrigin(tile: u32, subtile: u32) -> vec2u {
  let origin = threadPlace(tile, 0u, dispatch.renderSize).origin;
  return origin + vec2u(subtile % SUBTILES_ACROSS * SUBTILE_WIDTH, subtile / SUBTILES_ACROSS * SUBTILE_HEIGHT);
}

// Returns pixel p of a tile, counted subtile by subtile.
fn pixelOfTile(tile: u32, p: u32) -> vec2u {
  return subtileOrigin(tile, p / SUBTILE_PIXELS) + vec2u(p % SUBTILE_WIDTH, p % SUBTILE_PIXELS / SUBTILE_WIDTH);
}

// Returns whether a pixel is in the tile and in the render.
fn isInside(tile: u32, pixel: vec2u) -> bool {
  let end = threadPlace(tile, 0u, dispatch.renderSize).origin + vec2u(TILE_WIDTH, TILE_HEIGHT);
  return all(pixel < min(end, dispatch.renderSize));
}

// Vectors that the forward pass stores per segment: the state of each pixel before it, and for each subtile the number
// of entries that some pixel blends (0 if all are opaque before). One vector for each number, since writing one
// component may write the whole vector.
override SEGMENT_STRIDE: u32 = TILE_PIXELS + SUBTILES;
