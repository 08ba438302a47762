// Stage 2 with a workgroup a tile; a thread an entry.
#import binned/sort.wgsl

const THREADS = 128u;

var<workgroup> sh_full: u32;
var<workgroup> sh_list: TileList;
// Of each cell: its first place, its entries, and those of the cells before it.
var<workgroup> sh_first: array<u32, COPIES>;
var<workgroup> sh_counts: array<u32, COPIES>;
var<workgroup> sh_before: array<u32, COPIES>;
var<workgroup> sh_count: u32;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let tile = linearWorkgroup(workgroup, workgroups);
  if (tile >= dispatch.endWorkgroup) {
    return;
  }
  if (localIndex == 0u) {
    sh_full = u32(isFull());
    sh_list = tileLists[tile];
  }
  if (localIndex < COPIES) {
    let cell = tile * COPIES + localIndex;
    // The count begins anew.
    let count = atomicExchange(&cells[cell].count, 0u);
    sh_first[localIndex] = cells[cell].first;
    sh_counts[localIndex] = count;
    if (count > cells[cell].end - cells[cell].first) {
      halt();
    }
  }
  if (workgroupUniformLoad(&sh_full) != 0u) {
    if (localIndex == 0u) {
      halt();
    }
    return;
  }
  if (localIndex < COPIES) {
    var before = 0u;
    for (var copy = 0u; copy < localIndex; copy++) {
      before += sh_counts[copy];
    }
    sh_before[localIndex] = before;
    if (localIndex == COPIES - 1u) {
      sh_count = before + sh_counts[localIndex];
    }
  }
  let count = workgroupUniformLoad(&sh_count);
  if (localIndex == 0u) {
    tileLists[tile].count = count;
    if (count > sh_list.room) {
      halt();
    }
  }
  for (var k = localIndex; k < segmentsOf(sh_list.room); k += THREADS) {
    keepSegment(sh_list, count, k);
  }
  var copy = 0u;
  for (var i = localIndex; i < count; i += THREADS) {
    while (i >= sh_before[copy] + sh_counts[copy]) {
      copy++;
    }
    keepEntry(tile, sh_list, sh_before[copy], sh_first[copy], sh_counts[copy], i - sh_before[copy]);
  }
}
