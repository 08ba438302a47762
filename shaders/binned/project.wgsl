// Projects blobs to pixels and finds the tiles that their supports overlap, with several threads per blob: stage 1, and
// the end of stage 7, after Adam's step. CPU references: pixelBlob in src/engine/model/support.ts, meetsTile
// in src/engine/model/support.ts.
#import binned/support.wgsl
#import shared/decode.wgsl

// Each blob in pixels, with the range of its intersections.
@group(0) @binding(10) var<storage, read_write> pixelBlobs: array<PackedBlob>;
@group(0) @binding(11) var<storage, read_write> intersections: array<Intersection>;
@group(0) @binding(16) var<storage, read_write> status: Status;

// Whether tiles gather their lists from bits, or intersections are counted and sorted.
override GATHERS: bool = false;

const THREADS = 256u;
// More for few blobs, since these are large.
override THREADS_PER_BLOB: u32 = 16;
override BLOBS: u32 = THREADS / THREADS_PER_BLOB;
override VALUES: u32 = PARAMETER_COUNT * BLOBS;

// Raw parameters, value by value.
var<workgroup> sh_raw: array<f32, VALUES>;
var<workgroup> sh_blobs: array<PixelBlob, BLOBS>;
var<workgroup> sh_ranges: array<TileRange, BLOBS>;
// Number of the workgroup's intersections, and the index of the first.
var<workgroup> sh_intersections: atomic<u32>;
var<workgroup> sh_firstIntersection: u32;
var<workgroup> sh_overflowed: u32;
var<workgroup> sh_first: array<u32, BLOBS>;
var<workgroup> sh_someLarge: u32;

// Tiles that a blob's own threads process. All threads share the further tiles of a large blob, which may have
// thousands.
override OWN_TILES: u32 = 16u * THREADS_PER_BLOB;

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

// Returns the workgroup's blob b; blobCount if there is none. Neighbouring workgroups count in different shards.
fn blobAt(w: u32, b: u32) -> u32 {
  let inShard = w / SHARDS * BLOBS + b;
  let i = w % SHARDS * blobsPerShard() + inShard;
  return select(job.blobCount, min(i, job.blobCount), inShard < blobsPerShard());
}

fn rawAt(b: u32) -> Blob {
  return Blob(
    vec2f(sh_raw[b], sh_raw[BLOBS + b]),
    vec2f(sh_raw[2u * BLOBS + b], sh_raw[3u * BLOBS + b]),
    sh_raw[4u * BLOBS + b],
    vec3f(sh_raw[5u * BLOBS + b], sh_raw[6u * BLOBS + b], sh_raw[7u * BLOBS + b]),
    sh_raw[8u * BLOBS + b],
  );
}

// Initializes the workgroup's counts; for its first thread.
fn beginCounts() {
  atomicStore(&sh_intersections, 0u);
  sh_overflowed = atomicLoad(&status.overflowed);
  sh_someLarge = 0u;
}

// Projects the workgroup's blobs and stores their intersections.
fn project(w: u32, localIndex: u32) {
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_someLarge = 0u;
  }
  workgroupBarrier();
  if (localIndex < BLOBS) {
    var blob: PixelBlob;
    var range: TileRange;
    if (blobAt(w, localIndex) < job.blobCount && sh_overflowed == 0u) {
      let decoded = decode(rawAt(localIndex));
      let size = vec2u(dispatch.renderSize.x, dispatch.imageHeight);
      let mapping = calcUV(vec2f(size), vec2f(job.textureSize));
      blob = pixelBlob(decoded, mapping);
      blob.center.y -= f32(dispatch.top);
      range = tilesAround(blob, decoded.correlation, dispatch.renderSize);
    }
    sh_blobs[localIndex] = blob;
    sh_ranges[localIndex] = range;
    // One element for each tile around the blob, unused if the blob does not overlap the tile. The order of the
    // workgroups does not matter: only the blob itself sums its intersections.
    sh_first[localIndex] = atomicAdd(&sh_intersections, tilesOf(range));
    if (tilesOf(range) > OWN_TILES) {
      sh_someLarge = 1u;
    }
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_firstIntersection = allocateIntersections(atomicLoad(&sh_intersections));
  }
  let someLarge = workgroupUniformLoad(&sh_someLarge) != 0u;
  let b = localIndex / THREADS_PER_BLOB;
  let member = localIndex % THREADS_PER_BLOB;
  addIntersections(w, b, member, THREADS_PER_BLOB, OWN_TILES);
  let i = blobAt(w, b);
  if (member == 0u && i < job.blobCount && sh_overflowed == 0u) {
    storeBlob(i, sh_blobs[b], sh_firstIntersection + sh_first[b], sh_ranges[b]);
  }
  if (someLarge) {
    for (var large = 0u; large < BLOBS; large++) {
      addIntersections(w, large, OWN_TILES + localIndex, THREADS, 0xffffffffu);
    }
  }
}

// Stores every stride-th intersection of a blob from `start` up to `end`.
fn addIntersections(w: u32, b: u32, start: u32, stride: u32, end: u32) {
  let range = sh_ranges[b];
  let count = tilesOf(range);
  let first = sh_firstIntersection + sh_first[b];
  if (!hasCapacity(first, count)) {
    return;
  }
  for (var k = start; k < min(count, end); k += stride) {
    addIntersection(blobAt(w, b), sh_blobs[b], range, first, k);
  }
}
