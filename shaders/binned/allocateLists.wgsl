// Stage 2: gives each tile its part of the list buffer; a thread a tile. In which order does not matter.
#import binned/lists.wgsl

@group(0) @binding(12) var<storage, read_write> tileCounts: array<u32>;
// First entry and number of entries of each tile.
@group(0) @binding(13) var<storage, read_write> tileLists: array<vec2u>;
@group(0) @binding(16) var<storage, read_write> status: Status;

var<workgroup> sh_entries: atomic<u32>;
var<workgroup> sh_firstEntry: u32;

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
  }
  workgroupBarrier();
  var first = atomicAdd(&sh_entries, count);
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_firstEntry = atomicAdd(&status.entries, atomicLoad(&sh_entries));
  }
  workgroupBarrier();
  if (alive) {
    tileLists[tile] = vec2u(sh_firstEntry + first, count);
    tileCounts[tile] = 0u;
  }
}
