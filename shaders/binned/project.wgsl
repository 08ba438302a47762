// Stage 1: decodes each blob onto the pixels and finds the tiles that its support meets; a thread a blob.
#import binned/lists.wgsl
#import binned/support.wgsl
#import shared/parameters.wgsl

@group(0) @binding(10) var<storage, read_write> pixelBlobs: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> pairs: array<Pair>;
// Pairs of each tile, copy by copy.
@group(0) @binding(12) var<storage, read_write> tileCounts: array<atomic<u32>>;
@group(0) @binding(16) var<storage, read_write> status: Status;
// First pair and number of pairs of each blob.
@group(0) @binding(17) var<storage, read_write> blobPairs: array<vec2u>;

var<workgroup> sh_pairs: atomic<u32>;
var<workgroup> sh_firstPair: u32;

fn writePair(pair: u32, tile: u32, blob: u32) {
  let counter = copyOf(blob) * tileCount(dispatch.renderSize) + tile;
  pairs[pair] = Pair(tile, atomicAdd(&tileCounts[counter], 1u), blob);
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let i = linearWorkgroup(workgroup, workgroups) * 128u + localIndex;
  let alive = i < job.blobCount && atomicLoad(&status.halted) == 0u;
  var blob: PixelBlob;
  var range: TileRange;
  var count = 0u;
  // Which of the first 32 tiles of the range are met, so that they need not be tried twice.
  var met = 0u;
  if (alive) {
    blob = pixelBlob(loadBlob(i), calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize)));
    let packed = packBlob(blob);
    pixelBlobs[3u * i] = packed[0];
    pixelBlobs[3u * i + 1u] = packed[1];
    pixelBlobs[3u * i + 2u] = packed[2];
    range = tilesAround(blob, dispatch.renderSize);
    for (var k = 0u; k < tilesOf(range); k++) {
      let meets = select(0u, 1u, meetsTile(blob, tileOf(range, k)));
      count += meets;
      met |= select(0u, meets << k, k < 32u);
    }
  }
  // Pairs are given out by the workgroup. In which order does not matter: only the blob that owns them adds them up.
  if (localIndex == 0u) {
    atomicStore(&sh_pairs, 0u);
  }
  workgroupBarrier();
  var first = atomicAdd(&sh_pairs, count);
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_firstPair = atomicAdd(&status.pairs, atomicLoad(&sh_pairs));
  }
  workgroupBarrier();
  first += sh_firstPair;
  if (!alive || first + count > status.capacity) {
    return;
  }
  // The same tiles again; should rounding find one more or fewer, the count above is kept to.
  let across = tilesAcross(dispatch.renderSize);
  var written = 0u;
  for (; met != 0u; met &= met - 1u) {
    let tile = tileOf(range, countTrailingZeros(met));
    writePair(first + written, tile.y * across + tile.x, i);
    written++;
  }
  for (var k = 32u; k < tilesOf(range) && written < count; k++) {
    let tile = tileOf(range, k);
    if (meetsTile(blob, tile)) {
      writePair(first + written, tile.y * across + tile.x, i);
      written++;
    }
  }
  blobPairs[i] = vec2u(first, written);
  for (; written < count; written++) {
    pairs[first + written] = Pair(NO_TILE, 0u, i);
  }
}
