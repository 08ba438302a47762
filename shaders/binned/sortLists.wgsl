// Stage 4: sorts each tile's list by blob index, which is the depth, and cuts it into segments; a workgroup a tile. An
// entry's place is the number of entries before it: counted one by one within its block, by binary search in the others.
#import binned/segments.wgsl

const THREADS = 128u;
// A thread a key.
const BLOCK = THREADS;
// Keys that workgroup memory holds.
const CHUNK = 8u * BLOCK;
const NO_KEY = 0xffffffffu;

@group(0) @binding(13) var<storage, read> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read_write> list: array<vec2u>;
@group(0) @binding(16) var<storage, read> status: array<u32>;
@group(0) @binding(18) var<storage, read_write> segments: Segments;
@group(0) @binding(22) var<storage, read> unsorted: array<vec2u>;

// One block as it comes, four by four; then all blocks of the chunk, each sorted.
var<workgroup> sh_block: array<vec4u, BLOCK / 4u>;
var<workgroup> sh_sorted: array<u32, CHUNK>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let tile = linearWorkgroup(workgroup, workgroups);
  if (tile >= dispatch.endWorkgroup || status[2] != 0u) {
    return;
  }
  let tileList = tileLists[tile];
  let count = tileList.count;
  for (var k = localIndex; k < segmentsOf(count); k += THREADS) {
    let first = k * SEGMENT_LENGTH;
    let segment = Segment(tile, tileList.first + first, min(SEGMENT_LENGTH, count - first));
    segments.items[tileList.firstSegment + k] = segment;
  }
  for (var group = 0u; group < count; group += THREADS) {
    let i = group + localIndex;
    let entry = unsorted[tileList.first + min(i, count - 1u)];
    var before = 0u;
    for (var chunk = 0u; chunk < count; chunk += CHUNK) {
      let length = min(CHUNK, count - chunk);
      // A list of one chunk is sorted once for all groups.
      if (group == 0u || count > CHUNK) {
        for (var block = 0u; block < length; block += BLOCK) {
          sortBlock(tileList, chunk + block, block, localIndex);
        }
      }
      for (var block = 0u; block < length; block += BLOCK) {
        before += keysBelow(entry.x, block);
      }
    }
    if (i < count) {
      list[tileList.first + before] = entry;
    }
  }
}

// Sorts the list's keys from `first` on into the block that begins at `block`.
fn sortBlock(tileList: TileList, first: u32, block: u32, localIndex: u32) {
  let i = first + localIndex;
  let key = select(NO_KEY, unsorted[tileList.first + min(i, tileList.count - 1u)].x, i < tileList.count);
  workgroupBarrier();
  sh_sorted[block + localIndex] = NO_KEY;
  sh_block[localIndex / 4u][localIndex % 4u] = key;
  workgroupBarrier();
  if (key != NO_KEY) {
    var before = vec4u();
    for (var quad = 0u; quad < BLOCK / 4u; quad++) {
      before += select(vec4u(), vec4u(1u), sh_block[quad] < vec4u(key));
    }
    sh_sorted[block + before.x + before.y + before.z + before.w] = key;
  }
  workgroupBarrier();
}

// How many keys of a sorted block are lower.
fn keysBelow(key: u32, block: u32) -> u32 {
  var below = 0u;
  for (var step = BLOCK / 2u; step > 0u; step /= 2u) {
    below += select(0u, step, sh_sorted[block + below + step - 1u] < key);
  }
  return below + select(0u, 1u, sh_sorted[block + below] < key);
}
