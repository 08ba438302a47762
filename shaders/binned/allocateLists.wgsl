// Stage 2: gives each tile its part of the list buffer and its segments; a thread a tile and copy of the counters. In which
// order the tiles come does not matter.
#import binned/segments.wgsl
#import binned/support.wgsl

@group(0) @binding(12) var<storage, read_write> tileCounts: array<u32>;
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(16) var<storage, read_write> status: Status;
@group(0) @binding(18) var<storage, read_write> segments: array<Segment>;
// Where each copy's entries begin and the last one's end, tile by tile.
@group(0) @binding(21) var<storage, read_write> copyStarts: array<u32>;
// Long lists first, so that no workgroup begins one when all others are done.
@group(0) @binding(23) var<storage, read_write> tileOrder: array<u32>;

const THREADS = 128u;
const LONG_LIST = 256u;
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
  let counter = copy * dispatch.endWorkgroup + tile;
  let full = atomicLoad(&status.pairs) > status.capacity;
  let alive = tile < dispatch.endWorkgroup && !full;
  if (full && localIndex == 0u) {
    atomicStore(&status.halted, 1u);
  }
  var counted = 0u;
  if (alive) {
    counted = tileCounts[counter];
    // The counts begin anew.
    tileCounts[counter] = 0u;
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
    tileLists[tile] = list;
    sh_entries[own] = list.first;
    for (var k = 0u; k < segmentsOf(count); k++) {
      let start = k * SEGMENT_LENGTH;
      segments[list.firstSegment + k] = Segment(tile, list.first + start, min(SEGMENT_LENGTH, count - start));
    }
    // The long ones from the front, the others from the back.
    let place = sh_first[order] + taken.z;
    tileOrder[select(dispatch.endWorkgroup - 1u - place, place, order == 2u)] = tile;
    copyStarts[tile * (COPIES + 1u) + COPIES] = list.first + count;
  }
  workgroupBarrier();
  if (alive) {
    copyStarts[tile * (COPIES + 1u) + copy] = sh_entries[own] + before;
  }
}
