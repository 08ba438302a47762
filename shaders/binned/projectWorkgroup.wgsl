// The end of stages 1 and 7 where threads share a blob.
#import binned/project.wgsl

const THREADS = 256u;
// More where blobs are few, since they are large then.
override THREADS_PER_BLOB: u32 = 16;
override BLOBS: u32 = THREADS / THREADS_PER_BLOB;
override VALUES: u32 = PARAMETER_COUNT * BLOBS;

// Of each value and blob: its raw parameter.
var<workgroup> sh_raw: array<f32, VALUES>;
var<workgroup> sh_blobs: array<PixelBlob, BLOBS>;
var<workgroup> sh_ranges: array<TileRange, BLOBS>;
// Pairs of the workgroup and the first of them; the first of each blob, counted from there.
var<workgroup> sh_pairs: atomic<u32>;
var<workgroup> sh_firstPair: u32;
var<workgroup> sh_halted: u32;
var<workgroup> sh_first: array<u32, BLOBS>;
var<workgroup> sh_someLarge: u32;

// Tiles that a blob's own threads take. What a large blob has beyond that is shared out among all threads, since it may
// have thousands, and the others would long be done.
override OWN_TILES: u32 = 16u * THREADS_PER_BLOB;

// The b-th of the workgroup's blobs; blobCount if there is none. Workgroups that run at the same time count in different
// shards.
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

// Where the workgroup's counts begin, for its first thread.
fn beginCounts() {
  atomicStore(&sh_pairs, 0u);
  sh_halted = atomicLoad(&status.halted);
  sh_someLarge = 0u;
}

// From the parameters to the pairs.
fn project(w: u32, localIndex: u32) {
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_someLarge = 0u;
  }
  workgroupBarrier();
  if (localIndex < BLOBS) {
    var blob: PixelBlob;
    var range: TileRange;
    if (blobAt(w, localIndex) < job.blobCount && sh_halted == 0u) {
      blob = blobOnPixels(rawAt(localIndex));
      range = tilesAround(blob, dispatch.renderSize);
    }
    sh_blobs[localIndex] = blob;
    sh_ranges[localIndex] = range;
    // A place for each tile around the blob: those that it does not meet stay empty. In which order the workgroups come
    // does not matter: only the blob that owns the pairs adds them up.
    sh_first[localIndex] = atomicAdd(&sh_pairs, tilesOf(range));
    if (tilesOf(range) > OWN_TILES) {
      sh_someLarge = 1u;
    }
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_firstPair = takePairs(atomicLoad(&sh_pairs));
  }
  let someLarge = workgroupUniformLoad(&sh_someLarge) != 0u;
  let b = localIndex / THREADS_PER_BLOB;
  let member = localIndex % THREADS_PER_BLOB;
  beginPairs(w, b, member, THREADS_PER_BLOB, OWN_TILES);
  let i = blobAt(w, b);
  if (member == 0u && i < job.blobCount && sh_halted == 0u) {
    keepBlob(i, sh_blobs[b], sh_firstPair + sh_first[b], sh_ranges[b]);
  }
  if (someLarge) {
    for (var large = 0u; large < BLOBS; large++) {
      beginPairs(w, large, OWN_TILES + localIndex, THREADS, 0xffffffffu);
    }
  }
}

// A thread's share of a blob's pairs, up to an end.
fn beginPairs(w: u32, b: u32, start: u32, stride: u32, end: u32) {
  let range = sh_ranges[b];
  let count = tilesOf(range);
  let first = sh_firstPair + sh_first[b];
  if (!hasRoom(first, count)) {
    return;
  }
  for (var k = start; k < min(count, end); k += stride) {
    beginPair(blobAt(w, b), sh_blobs[b], range, first, k);
  }
}
