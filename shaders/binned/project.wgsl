// Decodes a blob onto the pixels, and finds its pairs with the tiles that its support meets: stage 1 by itself, and the
// end of stage 7, behind the step of each blob. Twin: src/engine/model/binned/1-project.ts.
#import binned/support.wgsl
#import shared/decode.wgsl

// Each blob on the pixels, and its places for pairs.
@group(0) @binding(10) var<storage, read_write> pixelBlobs: array<PackedBlob>;
@group(0) @binding(11) var<storage, read_write> pairs: array<Pair>;
@group(0) @binding(16) var<storage, read_write> status: Status;

// Whether tiles gather their lists, or pairs are counted.
override GATHERS: bool = false;

fn blobOnPixels(raw: Blob) -> PixelBlob {
  var size = dispatch.renderSize;
  if (BANDED) {
    size.y = dispatch.pictureHeight;
  }
  var blob = pixelBlob(decode(raw), calcUV(vec2f(size), vec2f(job.textureSize)));
  if (BANDED) {
    blob.center.y -= f32(bandTop());
  }
  return blob;
}

// Takes numbers for so many pairs, and returns the first. Where they go beyond 32 bits, their number stays at the highest:
// whoever passes it puts it back there, and whoever comes in between is followed by that.
fn takePairs(count: u32) -> u32 {
  let first = atomicAdd(&status.pairs, count);
  if (first + count < first) {
    atomicMax(&status.pairs, 0xffffffffu);
  }
  return first;
}

fn hasRoom(first: u32, count: u32) -> bool {
  return count <= status.capacity && first <= status.capacity - count;
}

// Keeps a blob with its pairs, if there is room for them.
fn keepBlob(i: u32, blob: PixelBlob, first: u32, range: TileRange) {
  if (!hasRoom(first, tilesOf(range))) {
    return;
  }
  pixelBlobs[i] = packPairs(blob, first, range);
  if (i == 0u) {
    atomicStore(&status.segments, 0u);
  }
}

// The shard of a tile's list that a blob belongs to: the last one whose first blob is not behind it.
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

// The pair of the range's tile k: empty where the blob does not meet it. Where tiles gather their lists it is a bit.
fn beginPair(i: u32, blob: PixelBlob, range: TileRange, first: u32, k: u32) {
  let place = tileOf(range, k);
  let tile = place.y * tilesAcross(dispatch.renderSize) + place.x;
  let meets = meetsTile(blob, place);
  if (GATHERS) {
    if (meets) {
      atomicOr(&status.tiles[tile * wordsOfTile() + i / 32u], 1u << (i % 32u));
    }
    return;
  }
  var pair = Pair(NO_SHARD, 0u, i);
  if (meets) {
    let shard = shardOf(tile, i);
    pair.shard = shardStart(tile, shard);
    pair.position = atomicAdd(&status.tiles[shard * tileCount(dispatch.renderSize) + tile], 1u);
  }
  pairs[first + k] = pair;
}

// All of that for a blob.
fn projectBlob(i: u32, raw: Blob) {
  let blob = blobOnPixels(raw);
  let range = tilesAround(blob, dispatch.renderSize);
  let count = tilesOf(range);
  let first = takePairs(count);
  keepBlob(i, blob, first, range);
  for (var k = 0u; k < count && hasRoom(first, count); k++) {
    beginPair(i, blob, range, first, k);
  }
}
