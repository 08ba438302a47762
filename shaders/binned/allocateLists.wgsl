// Stage 2: gives each tile its part of the list buffer and its segments; a thread a tile. In which order does not matter.
#import binned/lists.wgsl

@group(0) @binding(12) var<storage, read_write> tileCounts: array<u32>;
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(16) var<storage, read_write> status: Status;

var<workgroup> sh_entries: atomic<u32>;
var<workgroup> sh_segments: atomic<u32>;
var<workgroup> sh_first: vec2u;

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
  if (alive) {
    count = tileCounts[tile];
  }
  if (localIndex == 0u) {
    atomicStore(&sh_entries, 0u);
    atomicStore(&sh_segments, 0u);
  }
  workgroupBarrier();
  let first = atomicAdd(&sh_entries, count);
  let firstSegment = atomicAdd(&sh_segments, segmentsOf(count));
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_first.x = atomicAdd(&status.entries, atomicLoad(&sh_entries));
    sh_first.y = atomicAdd(&status.segments, atomicLoad(&sh_segments));
  }
  workgroupBarrier();
  if (alive) {
    tileLists[tile] = TileList(sh_first.x + first, count, sh_first.y + firstSegment);
    tileCounts[tile] = 0u;
  }
}
