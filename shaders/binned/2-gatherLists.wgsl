// Stages 2 to 4 in one, where blobs are few: each tile looks through all of them in their order, so that no pair has to be
// counted or sorted; a workgroup a tile. Twin: src/engine/model/binned/2-gatherLists.ts.
#import binned/allocation.wgsl
#import binned/support.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<PackedBlob>;
@group(0) @binding(14) var<storage, read_write> list: array<PackedBlob>;

const THREADS = 128u;
// As many as there are blobs.
override WORDS: u32 = 64;

// Which blobs the tile meets, a bit each.
var<workgroup> sh_met: array<atomic<u32>, WORDS>;
var<workgroup> sh_first: u32;
var<workgroup> sh_hasList: u32;

fn metOf(word: u32) -> u32 {
  return atomicLoad(&sh_met[word]);
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = linearWorkgroup(workgroup);
  if (localIndex == 0u) {
    sh_hasList = u32(hasList(tile));
  }
  if (workgroupUniformLoad(&sh_hasList) == 0u) {
    return;
  }
  let across = tilesAcross(dispatch.renderSize);
  let place = vec2u(tile % across, tile / across);
  for (var i = localIndex; i < job.blobCount; i += THREADS) {
    let packed = pixelBlobs[i];
    if (pairWith(packed, tile) != NO_PAIR && meetsTile(unpackBlob(packed), place)) {
      atomicOr(&sh_met[i / 32u], 1u << (i % 32u));
    }
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    var count = 0u;
    for (var word = 0u; word < WORDS; word++) {
      count += countOneBits(metOf(word));
    }
    sh_first = allocateList(tile, count);
  }
  // Where the entries of a round's blobs begin.
  var first = workgroupUniformLoad(&sh_first);
  for (var i = localIndex; i < job.blobCount; i += THREADS) {
    let ownWord = i / 32u;
    let bit = 1u << (i % 32u);
    let met = metOf(ownWord);
    var at = first + countOneBits(met & (bit - 1u));
    for (var word = (i - localIndex) / 32u; word < min((i - localIndex + THREADS) / 32u, WORDS); word++) {
      let entries = countOneBits(metOf(word));
      at += select(0u, entries, word < ownWord);
      first += entries;
    }
    if ((met & bit) != 0u) {
      let packed = pixelBlobs[i];
      let blob = unpackBlob(packed);
      list[at] = packBlob(blob, vec3u(i, pairWith(packed, tile), subtilesMet(blob, tile)));
    }
  }
}
