// Stages 2 to 4 in one, where blobs are few: each tile looks through all of them in their order, so that no pair has to be
// counted or sorted; a workgroup a tile. Twin: src/engine/model/binned/2-gatherLists.ts.
#import binned/allocation.wgsl
#import binned/support.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<PackedBlob>;
@group(0) @binding(14) var<storage, read_write> list: array<PackedBlob>;

const THREADS = 128u;
// Of 32 blobs each.
override WORDS: u32 = 8;

// Which blobs the tile meets, a bit each; then their numbers.
var<workgroup> sh_met: array<atomic<u32>, WORDS>;
var<workgroup> sh_indices: array<u32, 32u * WORDS>;
// The tile's part of the list.
var<workgroup> sh_first: u32;
var<workgroup> sh_count: u32;

// How many blobs the tile meets before word `end`.
fn metBefore(end: u32) -> u32 {
  var count = 0u;
  for (var word = 0u; word < end; word++) {
    count += countOneBits(atomicLoad(&sh_met[word]));
  }
  return count;
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = linearWorkgroup(workgroup);
  let place = tilePlace(tile);
  // Asked for first, since the answer takes its time.
  let mayHaveList = localIndex == 0u && hasList(tile);
  for (var i = localIndex; i < job.blobCount; i += THREADS) {
    let packed = pixelBlobs[i];
    if (pairWith(packed, place) != NO_PAIR && meetsTile(unpackBlob(packed), place)) {
      atomicOr(&sh_met[i / 32u], 1u << (i % 32u));
    }
  }
  workgroupBarrier();
  if (mayHaveList) {
    sh_count = metBefore(WORDS);
    sh_first = allocateList(tile, sh_count);
    tileOrder[tile] = tile;
  }
  for (var i = localIndex; i < job.blobCount; i += THREADS) {
    let met = atomicLoad(&sh_met[i / 32u]);
    let bit = 1u << (i % 32u);
    if ((met & bit) != 0u) {
      sh_indices[metBefore(i / 32u) + countOneBits(met & (bit - 1u))] = i;
    }
  }
  workgroupBarrier();
  for (var k = localIndex; k < sh_count; k += THREADS) {
    let i = sh_indices[k];
    let packed = pixelBlobs[i];
    let blob = unpackBlob(packed);
    list[sh_first + k] = packBlob(blob, vec3u(i, pairWith(packed, place), subtilesMet(blob, tile)));
  }
}
