// Stage 4: sorts each tile's list by blob index, which is the depth, and finds the subtiles that each entry meets; a
// thread an entry. The copies' ranges of blobs follow each other, so an entry's place is the number of entries of its
// own copy that come before it. Twin: src/engine/model/binned/4-sortLists.ts.
#import binned/support.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<PackedBlob>;
@group(0) @binding(14) var<storage, read_write> list: array<Entry>;
@group(0) @binding(16) var<storage, read> status: FinalStatus;
@group(0) @binding(21) var<storage, read> copyStarts: array<u32>;
@group(0) @binding(22) var<storage, read> keys: array<u32>;
@group(0) @binding(24) var<storage, read> places: array<vec2u>;

@compute @workgroup_size(128)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let i = linearWorkgroup(workgroup) * 128u + localIndex;
  if (status.halted != 0u || i >= status.entries) {
    return;
  }
  let key = keys[i];
  let pair = places[i].x;
  let tile = places[i].y;
  let copy = copyStart(tile, copyOf(key));
  let first = copyStarts[copy];
  let end = copyStarts[copy + 1u];
  var place = first;
  for (var k = first; k < end; k++) {
    place += select(0u, 1u, keys[k] < key);
  }
  list[place] = Entry(key, pair, subtilesMet(unpackBlob(pixelBlobs[key]), tile));
}
