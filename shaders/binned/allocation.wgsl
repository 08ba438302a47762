// A tile's part of the list buffer, and its segments. In which order the tiles come does not matter.
#import binned/lists.wgsl

// Long lists first, so that no workgroup begins one when all others are done.
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(16) var<storage, read_write> status: CountedStatus;
@group(0) @binding(18) var<storage, read_write> segments: array<Segment>;

const LONG_LIST = 256u;

// Whether there is room for the pairs and the tile is one; the first tile tells where there is none.
fn hasList(tile: u32) -> bool {
  let isFull = status.pairs > status.capacity;
  if (isFull && tile == 0u) {
    status.halted = 1u;
  }
  return !isFull && tile < dispatch.end;
}

// Gives a tile room for its entries; returns the first.
fn allocateList(tile: u32, count: u32) -> u32 {
  let list = TileList(tile, atomicAdd(&status.entries, count), count, atomicAdd(&status.segments, segmentsOf(count)));
  for (var k = 0u; k < segmentsOf(count); k++) {
    let start = k * SEGMENT_LENGTH;
    segments[list.firstSegment + k] = Segment(tile, list.first + start, min(SEGMENT_LENGTH, count - start));
  }
  // The long ones from the front, the others from the back; where there can be none, in any order.
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
