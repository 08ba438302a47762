// Stage 1: decodes each blob onto the pixels and finds the tiles that its support meets; sixteen threads a blob.
#import binned/lists.wgsl
#import binned/support.wgsl
#import shared/parameters.wgsl

const THREADS = 256u;
const THREADS_PER_BLOB = 16u;
const BLOBS = THREADS / THREADS_PER_BLOB;

@group(0) @binding(10) var<storage, read_write> pixelBlobs: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> pairs: array<Pair>;
// Pairs of each tile, copy by copy.
@group(0) @binding(12) var<storage, read_write> tileCounts: array<atomic<u32>>;
@group(0) @binding(16) var<storage, read_write> status: Status;
@group(0) @binding(17) var<storage, read_write> blobPairs: array<BlobPairs>;
// The head of Segments.
@group(0) @binding(18) var<storage, read_write> segmentCount: u32;

var<workgroup> sh_pairs: atomic<u32>;
var<workgroup> sh_firstPair: u32;
// The first pair of each of the workgroup's blobs, counted from the workgroup's own.
var<workgroup> sh_first: array<u32, BLOBS>;
var<workgroup> sh_met: array<atomic<u32>, BLOBS>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let slot = localIndex / THREADS_PER_BLOB;
  let member = localIndex % THREADS_PER_BLOB;
  let i = linearWorkgroup(workgroup, workgroups) * BLOBS + slot;
  let alive = i < job.blobCount && atomicLoad(&status.halted) == 0u;
  var blob: PixelBlob;
  var range: TileRange;
  if (alive) {
    blob = pixelBlob(loadBlob(i), calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize)));
    range = tilesAround(blob, dispatch.renderSize);
  }
  // A place for each tile around the blob: those that it does not meet stay empty. In which order the workgroups come
  // does not matter: only the blob that owns the pairs adds them up.
  let count = tilesOf(range);
  if (localIndex == 0u) {
    atomicStore(&sh_pairs, 0u);
  }
  workgroupBarrier();
  if (member == 0u) {
    atomicStore(&sh_met[slot], 0u);
    sh_first[slot] = atomicAdd(&sh_pairs, count);
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_firstPair = atomicAdd(&status.pairs, atomicLoad(&sh_pairs));
  }
  workgroupBarrier();
  let first = sh_firstPair + sh_first[slot];
  let fits = alive && first + count <= status.capacity;
  let counters = copyOf(i) * tileCount(dispatch.renderSize);
  for (var k = member; fits && k < count; k += THREADS_PER_BLOB) {
    let tile = tileOf(range, k);
    var pair = Pair(NO_TILE, 0u, i);
    if (meetsTile(blob, tile)) {
      pair.tile = tile.y * tilesAcross(dispatch.renderSize) + tile.x;
      pair.position = atomicAdd(&tileCounts[counters + pair.tile], 1u);
      atomicOr(&sh_met[slot], select(0u, 1u << (k % 32u), k < 32u));
    }
    pairs[first + k] = pair;
  }
  workgroupBarrier();
  if (fits && member == 0u) {
    let packed = packBlob(blob);
    pixelBlobs[3u * i] = packed[0];
    pixelBlobs[3u * i + 1u] = packed[1];
    pixelBlobs[3u * i + 2u] = packed[2];
    blobPairs[i] = BlobPairs(first, count, atomicLoad(&sh_met[slot]));
    if (i == 0u) {
      segmentCount = 0u;
    }
  }
}
