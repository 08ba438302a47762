// Projects a blob to pixels and finds the tiles that its support overlaps: stage 1, and the end of stage 7, after each
// blob's Adam step. CPU references: project in src/engine/model/binned/1-project.ts, pixelBlob in
// src/engine/model/support.ts, meetsTile in src/engine/model/support.ts.
#import binned/support.wgsl
#import shared/decode.wgsl

// Each blob in pixels, with the range of its intersections.
@group(0) @binding(10) var<storage, read_write> pixelBlobs: array<PackedBlob>;
@group(0) @binding(11) var<storage, read_write> intersections: array<Intersection>;
@group(0) @binding(16) var<storage, read_write> status: Status;

// Whether tiles gather their lists from bits, or intersections are counted and sorted.
override GATHERS: bool = false;

fn blobOnPixels(raw: Blob) -> PixelBlob {
  var size = dispatch.renderSize;
  if (BANDED) {
    size.y = dispatch.imageHeight;
  }
  var blob = pixelBlob(decode(raw), calcUV(vec2f(size), vec2f(job.textureSize)));
  if (BANDED) {
    blob.center.y -= f32(bandTop());
  }
  return blob;
}

// Allocates `count` intersections and returns the index of the first. The total saturates at 2^32 - 1: each thread that
// wraps it around sets it to the maximum again.
fn allocateIntersections(count: u32) -> u32 {
  let first = atomicAdd(&status.intersections, count);
  if (first + count < first) {
    atomicMax(&status.intersections, 0xffffffffu);
  }
  return first;
}

fn hasCapacity(first: u32, count: u32) -> bool {
  return count <= status.capacity && first <= status.capacity - count;
}

// Stores a blob with the range of its intersections, if they fit.
fn storeBlob(i: u32, blob: PixelBlob, first: u32, range: TileRange) {
  if (!hasCapacity(first, tilesOf(range))) {
    return;
  }
  pixelBlobs[i] = packIntersections(blob, first, range);
  if (i == 0u) {
    atomicStore(&status.segments, 0u);
  }
}

// Returns the shard of a tile's list to which a blob belongs, by binary search over the shards' first blobs.
fn shardOf(tile: u32, blob: u32) -> u32 {
  let half = arrayLength(&status.tiles) / 2u;
  var low = 0u;
  var high = SHARDS;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    let first = middle * blobsPerShard() + atomicLoad(&status.tiles[shardBound(half, tile, middle)]);
    if (blob < first) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

// Stores the intersection with tile k of the range, unused if the blob does not overlap the tile. With GATHERS, sets a
// bit.
fn addIntersection(i: u32, blob: PixelBlob, range: TileRange, first: u32, k: u32) {
  let place = tileOf(range, k);
  let tile = place.y * tilesAcross(dispatch.renderSize) + place.x;
  let meets = meetsTile(blob, place);
  if (GATHERS) {
    if (meets) {
      atomicOr(&status.tiles[tile * wordsOfTile() + i / 32u], 1u << (i % 32u));
    }
    return;
  }
  var intersection = Intersection(NO_SHARD, 0u, i);
  if (meets) {
    let shard = shardOf(tile, i);
    intersection.shard = shardStart(tile, shard);
    intersection.position = atomicAdd(&status.tiles[shard * tileCount(dispatch.renderSize) + tile], 1u);
  }
  intersections[first + k] = intersection;
}

// Projects a blob and stores its intersections.
fn projectBlob(i: u32, raw: Blob) {
  let blob = blobOnPixels(raw);
  let range = tilesAround(blob, dispatch.renderSize);
  let count = tilesOf(range);
  let first = allocateIntersections(count);
  storeBlob(i, blob, first, range);
  for (var k = 0u; k < count && hasCapacity(first, count); k++) {
    addIntersection(i, blob, range, first, k);
  }
}
