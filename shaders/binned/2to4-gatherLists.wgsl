// Stages 2 to 4 in one, for few enough blobs and tiles to store one bit per tile and blob: a tile's bits are its list,
// in order, without counting or sorting intersections; one workgroup per tile. CPU reference: binBlobs in
// src/engine/model/tileLists.ts.
#import binned/allocation.wgsl
#import binned/support.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<PackedBlob>;
@group(0) @binding(14) var<storage, read_write> list: array<Entry>;

const THREADS = 128u;

// Inclusive prefix sums of the threads' entries.
var<workgroup> sh_upTo: array<u32, THREADS>;
var<workgroup> sh_hasList: u32;
var<workgroup> sh_first: u32;

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = linearWorkgroup(workgroup);
  if (localIndex == 0u) {
    sh_hasList = u32(hasList(tile));
  }
  // Each thread takes an equal range of the tile's bits.
  let words = wordsOfTile();
  let wordsPerThread = (words + THREADS - 1u) / THREADS;
  let start = tile * words + min(localIndex * wordsPerThread, words);
  let end = tile * words + min((localIndex + 1u) * wordsPerThread, words);
  var entries = 0u;
  for (var word = start; word < end; word++) {
    entries += countOneBits(status.tiles[word]);
  }
  sh_upTo[localIndex] = entries;
  let activeThreads = min(words, THREADS);
  for (var stride = 1u; stride < activeThreads; stride *= 2u) {
    workgroupBarrier();
    let before = select(0u, sh_upTo[max(localIndex, stride) - stride], localIndex >= stride);
    workgroupBarrier();
    sh_upTo[localIndex] += before;
  }
  if (workgroupUniformLoad(&sh_hasList) == 0u) {
    return;
  }
  let count = sh_upTo[activeThreads - 1u];
  if (localIndex == 0u) {
    sh_first = allocateList(tile, count);
  }
  let first = workgroupUniformLoad(&sh_first);
  var at = first + sh_upTo[localIndex] - entries;
  for (var word = start; word < end; word++) {
    let bits = status.tiles[word];
    for (var rest = bits; rest != 0u; rest &= rest - 1u) {
      list[at].blob = 32u * (word - tile * words) + firstTrailingBit(rest);
      at++;
    }
    // Cleared for the next step.
    if (bits != 0u) {
      status.tiles[word] = 0u;
    }
  }
  storageBarrier();
  let place = tileCoordinates(tile);
  for (var k = first + localIndex; k < first + count; k += THREADS) {
    let packed = pixelBlobs[list[k].blob];
    list[k].intersection = intersectionWith(packed, place);
    list[k].subtiles = subtilesMet(unpackBlob(packed), tile);
  }
}
