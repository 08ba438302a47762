// Stage 2: gives each tile its part of the list buffer and its segments; a thread a tile. In which order the tiles come
// does not matter. Twin: src/engine/model/binned/2-allocateLists.ts.
#import binned/lists.wgsl

// Long lists first, so that no workgroup begins one when all others are done.
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(16) var<storage, read_write> status: CountedStatus;
@group(0) @binding(18) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(21) var<storage, read_write> copyStarts: array<u32>;

// The status once all pairs are counted: only what is given out here takes atomics.
struct CountedStatus {
  pairs: u32,
  entries: atomic<u32>,
  segments: atomic<u32>,
  longTiles: atomic<u32>,
  shortTiles: atomic<u32>,
  halted: u32,
  steps: u32,
  capacity: u32,
  tileCounts: array<u32>,
}

override THREADS: u32 = 32;
const LONG_LIST = 256u;

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = linearWorkgroup(workgroup) * THREADS + localIndex;
  let isFull = status.pairs > status.capacity;
  if (isFull && tile == 0u) {
    status.halted = 1u;
  }
  if (isFull || tile >= dispatch.endWorkgroup) {
    return;
  }
  var count = 0u;
  for (var copy = 0u; copy < COPIES; copy++) {
    count += status.tileCounts[copy * dispatch.endWorkgroup + tile];
  }
  let list = TileList(tile, atomicAdd(&status.entries, count), count, atomicAdd(&status.segments, segmentsOf(count)));
  for (var k = 0u; k < segmentsOf(count); k++) {
    let start = k * SEGMENT_LENGTH;
    segments[list.firstSegment + k] = Segment(tile, list.first + start, min(SEGMENT_LENGTH, count - start));
  }
  // The long ones from the front, the others from the back.
  if (count > LONG_LIST) {
    tileLists[atomicAdd(&status.longTiles, 1u)] = list;
  } else {
    tileLists[dispatch.endWorkgroup - 1u - atomicAdd(&status.shortTiles, 1u)] = list;
  }
  var start = list.first;
  for (var copy = 0u; copy < COPIES; copy++) {
    copyStarts[copyStart(tile, copy)] = start;
    let counter = copy * dispatch.endWorkgroup + tile;
    start += status.tileCounts[counter];
    // The count begins anew.
    status.tileCounts[counter] = 0u;
  }
  copyStarts[copyStart(tile, COPIES)] = start;
}
