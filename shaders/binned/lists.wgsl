// What the stages share: blobs on the pixels, pairs of a tile and a blob, the tiles' lists of them, and where pixels are.
// A stage is a file with a number, in the order in which they run. The lists of a step are built at the end of the one
// before: stages 7 and 1 are one kernel. A file that ends in Subgroup, Workgroup or Thread says who shares a stage's work
// among themselves.
#import shared/uv.wgsl

// Where there is no room for the lists of a whole picture, they are those of a band of it: some rows of tiles. Pixels and
// tiles are counted from the band's first ones.
override BANDED: bool = false;

// The band's first row of pixels.
fn bandTop() -> u32 {
  if (BANDED) {
    return dispatch.top;
  }
  return 0u;
}

fn tilesAcross(renderSize: vec2u) -> u32 {
  return (renderSize.x + TILE_WIDTH - 1u) / TILE_WIDTH;
}

// A decoded blob on the render's pixels.
struct PixelBlob {
  center: vec2f,
  // The power to base 2 at an offset d in pixels is x dx^2 + y dx dy + z dy^2.
  conic: vec3f,
  opacity: f32,
  color: vec3f,
}

// The same in nine words, then its places for pairs: see packPairs.
struct PackedBlob {
  a: vec4u,
  b: vec4u,
  c: vec4u,
}

fn packBlob(blob: PixelBlob, pairs: vec3u) -> PackedBlob {
  return PackedBlob(
    bitcast<vec4u>(vec4f(blob.center, blob.conic.xy)),
    bitcast<vec4u>(vec4f(blob.conic.z, blob.opacity, blob.color.rg)),
    vec4u(bitcast<u32>(blob.color.b), pairs),
  );
}

fn unpackBlob(packed: PackedBlob) -> PixelBlob {
  let shape = bitcast<vec4f>(packed.a);
  let look = bitcast<vec4f>(packed.b);
  return PixelBlob(shape.xy, vec3f(shape.zw, look.x), look.y, vec3f(look.zw, bitcast<f32>(packed.c.x)));
}

// The lowest power, to base 2.
const LOWEST_POWER_2 = LOWEST_POWER * 1.4426950408889634;

fn pixelPower(blob: PixelBlob, offset: vec2f) -> f32 {
  return offset.x * (blob.conic.x * offset.x + blob.conic.y * offset.y) + blob.conic.z * offset.y * offset.y;
}

// e^power at an offset; 0 outside the support.
fn pixelFalloff(blob: PixelBlob, offset: vec2f) -> f32 {
  let power = pixelPower(blob, offset);
  return select(0.0, exp2(power), power >= LOWEST_POWER_2);
}

// A tile and a blob that meet: the shard of the tile's list (see shardStart), and the pair's place in that shard.
struct Pair {
  shard: u32,
  position: u32,
  blob: u32,
}

// The shard of a place for a pair whose tile and blob do not meet.
const NO_SHARD = 0xffffffffu;

// Each tile counts its pairs in several shards, each a range of blobs. Fewer threads then wait for one counter, and
// short ranges are sorted fast.
override SHARDS: u32 = 8;

// A multiple of the blobs that a workgroup takes.
fn blobsPerShard() -> u32 {
  return (job.blobCount + 16u * SHARDS - 1u) / (16u * SHARDS) * 16u;
}

// The index of a tile's shard in shardStarts, which holds where each shard's entries begin and where the last one's end.
fn shardStart(tile: u32, shard: u32) -> u32 {
  return tile * (SHARDS + 1u) + shard;
}

// The index of a shard's first blob in the status, behind `half` of its words. The previous step's sorting divides each
// list evenly; what is kept is the distance from an even division of all blobs, so zeros are a division too.
fn shardBound(half: u32, tile: u32, shard: u32) -> u32 {
  return half + tile * SHARDS + shard;
}

// Words of the bits of a tile's blobs.
fn wordsOfTile() -> u32 {
  return (job.blobCount + 31u) / 32u;
}

// A tile's part of the list buffer, and its first segment.
struct TileList {
  tile: u32,
  first: u32,
  count: u32,
  firstSegment: u32,
}

// An entry of a tile's list: the numbers of the blob and of the pair, and which of the tile's subtiles it meets, a bit
// each. What blending takes is the blob's own, since copies of it would be most of what a step moves through memory.
struct Entry {
  blob: u32,
  pair: u32,
  subtiles: u32,
}

// Long lists are worked on in parts, side by side: blending is associative. A segment is a part of a tile's list.
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
  // Pairs of each tile, shard by shard, then the first blob of each shard, tile by tile (see shardBound). Where tiles
  // gather their lists: a bit for each of a tile's blobs, tile by tile.
  tiles: array<atomic<u32>>,
}

// The status once all pairs are counted: only what is allocated then takes atomics.
struct CountedStatus {
  pairs: u32,
  entries: atomic<u32>,
  segments: atomic<u32>,
  longTiles: atomic<u32>,
  shortTiles: atomic<u32>,
  halted: u32,
  steps: u32,
  capacity: u32,
  tiles: array<u32>,
}

// Its beginning, to read alone.
struct FinalStatus {
  pairs: u32,
  entries: u32,
  segments: u32,
  longTiles: u32,
  shortTiles: u32,
  halted: u32,
}

// Within a tile, blobs are worked on for 32 pixels at a time: a subtile. Most blobs of a tile do not meet all of them.
const SUBTILE_WIDTH = 8u;
const SUBTILE_HEIGHT = 4u;
const SUBTILE_PIXELS = SUBTILE_WIDTH * SUBTILE_HEIGHT;

override SUBTILES_ACROSS: u32 = (TILE_WIDTH + SUBTILE_WIDTH - 1u) / SUBTILE_WIDTH;
override SUBTILES: u32 = SUBTILES_ACROSS * ((TILE_HEIGHT + SUBTILE_HEIGHT - 1u) / SUBTILE_HEIGHT);
// Pixels of a tile, subtile by subtile; those of a subtile that reaches over the tile's edge included.
override TILE_PIXELS: u32 = SUBTILES * SUBTILE_PIXELS;

// The bit of a subtile; where a tile has more than 32, several share one.
fn subtileBit(subtile: u32) -> u32 {
  return 1u << (subtile % 32u);
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

// What the way forward leaves for each segment: the state of each pixel before it, and how many of its entries each
// subtile takes at most, 0 where all its pixels are opaque before; a vector for each, since who writes a part of a vector
// may write all of it. Where a thread takes a row it leaves the states alone, and those of all segments.
override SEGMENT_STRIDE: u32 = TILE_PIXELS + SUBTILES;
