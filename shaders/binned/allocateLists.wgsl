// Stage 2 for all tiles; a thread a tile and copy of the counters.
#import binned/allocate.wgsl

const THREADS = 128u;
// Tiles of a workgroup.
override TILES: u32 = THREADS / COPIES;

// The copies' counts of each tile, copy by copy.
var<workgroup> sh_counts: array<u32, THREADS>;
// What the workgroup's tiles take, and where that begins: entries, segments, long lists and others.
var<workgroup> sh_taken: array<atomic<u32>, 4>;
var<workgroup> sh_first: vec4u;
// Each tile's first entry.
var<workgroup> sh_entries: array<u32, TILES>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let own = localIndex % TILES;
  let copy = localIndex / TILES;
  let tile = linearWorkgroup(workgroup, workgroups) * TILES + own;
  let alive = !isFull(localIndex == 0u) && tile < dispatch.endWorkgroup;
  var counted = 0u;
  if (alive) {
    counted = takeCount(tile, copy);
  }
  sh_counts[localIndex] = counted;
  if (localIndex < 4u) {
    atomicStore(&sh_taken[localIndex], 0u);
  }
  workgroupBarrier();
  var before = 0u;
  var count = 0u;
  for (var other = 0u; other < COPIES; other++) {
    before += select(0u, sh_counts[other * TILES + own], other < copy);
    count += sh_counts[other * TILES + own];
  }
  // For the tile, its first thread.
  let speaks = alive && copy == 0u;
  let order = select(3u, 2u, count > LONG_LIST);
  var taken = vec3u();
  if (speaks) {
    taken.x = atomicAdd(&sh_taken[0], count);
    taken.y = atomicAdd(&sh_taken[1], segmentsOf(count));
    taken.z = atomicAdd(&sh_taken[order], 1u);
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_first = vec4u(
      atomicAdd(&status.entries, atomicLoad(&sh_taken[0])),
      atomicAdd(&status.segments, atomicLoad(&sh_taken[1])),
      atomicAdd(&status.longTiles, atomicLoad(&sh_taken[2])),
      atomicAdd(&status.shortTiles, atomicLoad(&sh_taken[3])));
  }
  workgroupBarrier();
  if (speaks) {
    let list = TileList(sh_first.x + taken.x, count, sh_first.y + taken.y);
    allocateTile(tile, list, order == 2u, sh_first[order] + taken.z);
    sh_entries[own] = list.first;
  }
  workgroupBarrier();
  if (alive) {
    copyStarts[tile * (COPIES + 1u) + copy] = sh_entries[own] + before;
  }
}
