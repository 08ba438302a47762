// Stage 2 without barriers; a thread a tile.
#import binned/allocate.wgsl

const THREADS = 8u;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let tile = linearWorkgroup(workgroup, workgroups) * THREADS + localIndex;
  if (isFull(tile == 0u) || tile >= dispatch.endWorkgroup) {
    return;
  }
  var count = 0u;
  for (var copy = 0u; copy < COPIES; copy++) {
    count += tileCounts[counterOf(tile, copy)];
  }
  let first = atomicAdd(&status.entries, count);
  let isLong = count > LONG_LIST;
  var place = 0u;
  if (isLong) {
    place = atomicAdd(&status.longTiles, 1u);
  } else {
    place = atomicAdd(&status.shortTiles, 1u);
  }
  allocateTile(tile, TileList(first, count, atomicAdd(&status.segments, segmentsOf(count))), isLong, place);
  var start = first;
  for (var copy = 0u; copy < COPIES; copy++) {
    copyStarts[tile * (COPIES + 1u) + copy] = start;
    start += takeCount(tile, copy);
  }
}
