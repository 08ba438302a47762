// Allocates a tile's range of the list buffer, and its segments. The order of the tiles does not matter. CPU reference:
// binBlobs in src/engine/model/tileLists.ts.
#import binned/lists.wgsl

// Long lists first, so that no workgroup starts one when all others have finished.
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(16) var<storage, read_write> status: CountedStatus;
@group(0) @binding(18) var<storage, read_write> segments: array<Segment>;

const LONG_LIST = 256u;

// Returns whether the tile exists and all intersections fit. The first tile reports an overflow.
fn hasList(tile: u32) -> bool {
  let isFull = status.intersections > status.capacity;
  if (isFull && tile == 0u) {
    status.overflowed = 1u;
  }
  return !isFull && tile < dispatch.end;
}

// Allocates a tile's entries and returns the index of the first.
fn allocateList(tile: u32, count: u32) -> u32 {
  let list = TileList(tile, atomicAdd(&status.entries, count), count, atomicAdd(&status.segments, segmentsOf(count)));
  for (var k = 0u; k < segmentsOf(count); k++) {
    let start = k * SEGMENT_LENGTH;
    segments[list.firstSegment + k] = Segment(tile, list.first + start, min(SEGMENT_LENGTH, count - start));
  }
  // Long lists from the front, others from the back; in tile order if no list can be long.
  var place = tile;
  if (job.blobCount > LONG_LIST) {
    if (count > LONG_LIST) {
      place = atomicAdd(&status.longTiles, 1u);
    } else {
      place = dispatch.end - 1u - atomicAdd(&status.shortTiles, 1u);
    }
  }
  tileLists[place] = list;
  return list.first;
}
