// Before the first step: gives each tile, by its present pairs, room for more than these, so that the lists of the steps to
// come need only be filled; a thread a tile. In which order the tiles come does not matter.
#import binned/segments.wgsl
#import binned/support.wgsl

@group(0) @binding(12) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(16) var<storage, read_write> status: Status;
@group(0) @binding(18) var<storage, read_write> segments: array<Segment>;
// Long lists first, so that no workgroup begins one when all others are done.
@group(0) @binding(23) var<storage, read_write> tileOrder: array<u32>;

const THREADS = 32u;
const LONG_LIST = 256u;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let tile = linearWorkgroup(workgroup, workgroups) * THREADS + localIndex;
  if (tile >= dispatch.endWorkgroup) {
    return;
  }
  var count = 0u;
  for (var copy = 0u; copy < COPIES; copy++) {
    count += atomicLoad(&cells[counterOf(cellOf(tile, copy), dispatch.step)]);
  }
  // By chance a cell changes more than a tile.
  let slack = 16u;
  var place = atomicAdd(&status.places, 2u * count + slack * COPIES);
  for (var copy = 0u; copy < COPIES; copy++) {
    let cell = cellOf(tile, copy);
    atomicStore(&cells[firstPlaceOf(cell)], place);
    place += 2u * atomicExchange(&cells[counterOf(cell, dispatch.step)], 0u) + slack;
    atomicStore(&cells[endOfPlaces(cell)], place);
  }
  let room = count + count / 2u + slack;
  let list = TileList(atomicAdd(&status.entries, room), 0u, atomicAdd(&status.segments, segmentsOf(room)), room);
  tileLists[tile] = list;
  for (var k = 0u; k < segmentsOf(room); k++) {
    segments[list.firstSegment + k] = Segment(tile, list.first + k * SEGMENT_LENGTH, 0u);
  }
  // The long ones from the front, the others from the back.
  if (count > LONG_LIST) {
    tileOrder[atomicAdd(&status.longTiles, 1u)] = tile;
  } else {
    tileOrder[dispatch.endWorkgroup - 1u - atomicAdd(&status.shortTiles, 1u)] = tile;
  }
}
