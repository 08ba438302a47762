// Before the first step: gives each tile, by its present pairs, room for more than these, so that the lists of the steps to
// come need only be filled; a thread a tile. In which order the tiles come does not matter.
#import binned/segments.wgsl
#import binned/support.wgsl

@group(0) @binding(12) var<storage, read_write> cells: array<Cell>;
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
  for (var cell = tile * COPIES; cell < (tile + 1u) * COPIES; cell++) {
    count += atomicLoad(&cells[cell].count);
  }
  // By chance a cell changes more than a tile.
  let slack = 16u;
  var place = atomicAdd(&status.places, 2u * count + slack * COPIES);
  for (var cell = tile * COPIES; cell < (tile + 1u) * COPIES; cell++) {
    cells[cell].first = place;
    place += 2u * atomicExchange(&cells[cell].count, 0u) + slack;
    cells[cell].end = place;
  }
  let room = count + count / 2u + slack;
  let list = TileList(atomicAdd(&status.entries, room), room, atomicAdd(&status.segments, segmentsOf(room)), 0u);
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
