// Stage 4: sorts each tile's list by blob index, which is the depth, and finds the subtiles that each entry meets; a
// thread an entry. The shards' ranges of blobs follow each other, so an entry's place is the number of entries of its
// own shard that come before it. Twin: src/engine/model/binned/4-sortLists.ts.
#import binned/support.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<PackedBlob>;
@group(0) @binding(14) var<storage, read_write> list: array<Entry>;
@group(0) @binding(16) var<storage, read_write> status: CountedStatus;
@group(0) @binding(21) var<storage, read> shardStarts: array<u32>;
@group(0) @binding(22) var<storage, read> keys: array<u32>;
@group(0) @binding(24) var<storage, read> places: array<vec2u>;

@compute @workgroup_size(128)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let i = linearWorkgroup(workgroup) * 128u + localIndex;
  if (status.halted != 0u || i >= atomicLoad(&status.entries)) {
    return;
  }
  let key = keys[i];
  let pair = places[i].x;
  let shard = places[i].y;
  let tile = shard / (SHARDS + 1u);
  let first = shardStarts[shard];
  let end = shardStarts[shard + 1u];
  var place = first;
  for (var k = first; k < end; k++) {
    place += select(0u, 1u, keys[k] < key);
  }
  list[place] = Entry(key, pair, subtilesMet(unpackBlob(pixelBlobs[key]), tile));
  boundShards(tile, key, place);
}

// Divides a tile's list evenly among the next step's shards: this entry is the first of each shard that begins here.
fn boundShards(tile: u32, key: u32, place: u32) {
  let half = arrayLength(&status.tiles) / 2u;
  let start = shardStarts[shardStart(tile, 0u)];
  let count = shardStarts[shardStart(tile, SHARDS)] - start;
  let at = place - start;
  // Shard s begins at entry s * count / SHARDS, rounded down.
  let next = min(((at + 1u) * SHARDS + count - 1u) / count, SHARDS);
  for (var s = max((at * SHARDS + count - 1u) / count, 1u); s < next; s++) {
    status.tiles[shardBound(half, tile, s)] = key - s * blobsPerShard();
  }
}
