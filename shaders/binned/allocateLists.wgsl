// Stage 2: gives each tile its part of the list buffer and its segments; a thread a tile. In which order does not matter.
#import binned/segments.wgsl
#import binned/support.wgsl

@group(0) @binding(12) var<storage, read_write> tileCounts: array<u32>;
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(18) var<storage, read_write> segments: array<Segment>;
// Long lists first, so that no workgroup begins one when all others are done.
@group(0) @binding(23) var<storage, read_write> tileOrder: array<u32>;
// Where each copy's entries begin and the last one's end, tile by tile.
@group(0) @binding(21) var<storage, read_write> copyStarts: array<u32>;
@group(0) @binding(16) var<storage, read_write> status: Status;

var<workgroup> sh_entries: atomic<u32>;
var<workgroup> sh_segments: atomic<u32>;
var<workgroup> sh_long: atomic<u32>;
var<workgroup> sh_short: atomic<u32>;
var<workgroup> sh_first: vec4u;

const LONG_LIST = 256u;

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let tile = linearWorkgroup(workgroup, workgroups) * 128u + localIndex;
  let full = atomicLoad(&status.pairs) > status.capacity;
  if (full && localIndex == 0u) {
    atomicStore(&status.halted, 1u);
  }
  let alive = tile < dispatch.endWorkgroup && !full;
  var count = 0u;
  for (var copy = 0u; alive && copy < COPIES; copy++) {
    count += tileCounts[copy * dispatch.endWorkgroup + tile];
  }
  if (localIndex == 0u) {
    atomicStore(&sh_entries, 0u);
    atomicStore(&sh_segments, 0u);
    atomicStore(&sh_long, 0u);
    atomicStore(&sh_short, 0u);
  }
  workgroupBarrier();
  let first = atomicAdd(&sh_entries, count);
  let firstSegment = atomicAdd(&sh_segments, segmentsOf(count));
  let isLong = count > LONG_LIST;
  var rank = 0u;
  if (isLong) {
    rank = atomicAdd(&sh_long, 1u);
  } else if (alive) {
    rank = atomicAdd(&sh_short, 1u);
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_first.x = atomicAdd(&status.entries, atomicLoad(&sh_entries));
    sh_first.y = atomicAdd(&status.segments, atomicLoad(&sh_segments));
    sh_first.z = atomicAdd(&status.longTiles, atomicLoad(&sh_long));
    sh_first.w = atomicAdd(&status.shortTiles, atomicLoad(&sh_short));
  }
  workgroupBarrier();
  if (!alive) {
    return;
  }
  // The long ones from the front, the others from the back.
  tileOrder[select(dispatch.endWorkgroup - 1u - (sh_first.w + rank), sh_first.z + rank, isLong)] = tile;
  let list = TileList(sh_first.x + first, count, sh_first.y + firstSegment);
  tileLists[tile] = list;
  for (var k = 0u; k < segmentsOf(count); k++) {
    let start = k * SEGMENT_LENGTH;
    segments[list.firstSegment + k] = Segment(tile, list.first + start, min(SEGMENT_LENGTH, count - start));
  }
  // The counts begin anew.
  var start = list.first;
  for (var copy = 0u; copy < COPIES; copy++) {
    let at = copy * dispatch.endWorkgroup + tile;
    copyStarts[tile * (COPIES + 1u) + copy] = start;
    start += tileCounts[at];
    tileCounts[at] = 0u;
  }
  copyStarts[tile * (COPIES + 1u) + COPIES] = start;
}
