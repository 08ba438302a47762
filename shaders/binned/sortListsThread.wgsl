// Stage 2 without barriers; a thread a tile.
#import binned/sort.wgsl

const THREADS = 8u;

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
  if (isFull()) {
    halt();
    return;
  }
  let tileList = tileLists[tile];
  var before = 0u;
  for (var cell = tile * COPIES; cell < (tile + 1u) * COPIES; cell++) {
    // The count begins anew.
    let count = atomicExchange(&cells[cell].count, 0u);
    let first = cells[cell].first;
    let room = cells[cell].end - first;
    for (var k = 0u; k < min(count, room); k++) {
      keepEntry(tile, tileList, before, first, count, k);
    }
    before += count;
    if (count > room || before > tileList.room) {
      halt();
    }
  }
  tileLists[tile].count = before;
  for (var k = 0u; k < segmentsOf(tileList.room); k++) {
    keepSegment(tileList, before, k);
  }
}
