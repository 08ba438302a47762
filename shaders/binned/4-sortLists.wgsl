// Stage 4: sorts each tile's list by blob index, which is the depth, and finds the subtiles that each entry overlaps;
// one thread per entry. Shards cover consecutive ranges of blobs, so an entry's rank is the number of smaller entries
// in its shard. CPU reference: binBlobs in src/engine/model/tileLists.ts.
#import binned/support.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<PackedBlob>;
@group(0) @binding(14) var<storage, read_write> list: array<Entry>;
@group(0) @binding(16) var<storage, read_write> status: CountedStatus;
@group(0) @binding(21) var<storage, read> shardStarts: array<u32>;
@group(0) @binding(22) var<storage, read> keys: array<u32>;
@group(0) @binding(24) var<storage, read> sources: array<vec2u>;

@compute @workgroup_size(128)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let i = linearWorkgroup(workgroup) * 128u + localIndex;
  if (status.overflowed != 0u || i >= atomicLoad(&status.entries)) {
    return;
  }
  let key = keys[i];
  let intersection = sources[i].x;
  let shard = sources[i].y;
  let tile = shard / (SHARDS + 1u);
  let first = shardStarts[shard];
  let end = shardStarts[shard + 1u];
  var place = first;
  for (var k = first; k < end; k++) {
    place += select(0u, 1u, keys[k] < key);
  }
  list[place] = Entry(key, intersection, subtilesMet(unpackBlob(pixelBlobs[key]), tile));
  divideShards(tile, key, place);
}

// Divides a tile's list evenly among the shards of the next step: stores this entry's blob for each shard that starts
// at it.
fn divideShards(tile: u32, key: u32, place: u32) {
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
