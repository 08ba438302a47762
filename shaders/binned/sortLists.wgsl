// Stage 4: sorts each tile's list by blob index, which is the depth, and cuts it into segments; a workgroup a tile.
#import binned/segments.wgsl

const THREADS = 128u;
// Entries that workgroup memory holds: few, because it is cleared for each tile.
const CAPACITY = 1024u;

@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read_write> list: array<vec2u>;
@group(0) @binding(16) var<storage, read_write> status: Status;

@group(0) @binding(18) var<storage, read_write> segments: Segments;

var<workgroup> sh_entries: array<vec2u, CAPACITY>;

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
  // A halted list is empty. Loaded once for all threads, so that barriers are met by all.
  if (localIndex == 0u) {
    sh_entries[0] = vec2u(tileLists[tile].first, select(tileLists[tile].count, 0u, atomicLoad(&status.halted) != 0u));
  }
  let range = workgroupUniformLoad(&sh_entries[0]);
  for (var k = localIndex; k < segmentsOf(range.y); k += THREADS) {
    let first = range.x + k * SEGMENT_LENGTH;
    segments.items[tileLists[tile].firstSegment + k] = Segment(tile, first, min(SEGMENT_LENGTH, range.x + range.y - first));
  }
  if (range.y <= CAPACITY) {
    let size = 1u << (32u - countLeadingZeros(max(range.y, 1u) - 1u));
    for (var i = localIndex; i < size; i += THREADS) {
      sh_entries[i] = vec2u(0xffffffffu);
      if (i < range.y) {
        sh_entries[i] = list[range.x + i];
      }
    }
    workgroupBarrier();
    for (var k = 2u; k <= size; k *= 2u) {
      for (var j = k / 2u; j > 0u; j /= 2u) {
        for (var i = localIndex; i < size / 2u; i += THREADS) {
          let low = 2u * i - (i & (j - 1u));
          let high = low + j;
          let a = sh_entries[low];
          let b = sh_entries[high];
          if ((a.x > b.x) == ((low & k) == 0u)) {
            sh_entries[low] = b;
            sh_entries[high] = a;
          }
        }
        workgroupBarrier();
      }
    }
    for (var i = localIndex; i < range.y; i += THREADS) {
      list[range.x + i] = sh_entries[i];
    }
    return;
  }
  sortInPlace(range, localIndex);
}

// Lists that workgroup memory does not hold: the same network, in storage, padded in thought by entries that never move.
fn sortInPlace(range: vec2u, localIndex: u32) {
  let size = 1u << (32u - countLeadingZeros(range.y - 1u));
  for (var k = 2u; k <= size; k *= 2u) {
    // The first pass of a merge compares mirrored partners, so that all comparators point upwards.
    for (var j = k / 2u; j > 0u; j /= 2u) {
      storageBarrier();
      for (var i = localIndex; i < size / 2u; i += THREADS) {
        let low = 2u * i - (i & (j - 1u));
        let high = select(low + j, (low | (k - 1u)) - (low & (j - 1u)), j == k / 2u);
        if (high < range.y) {
          let a = list[range.x + low];
          let b = list[range.x + high];
          if (a.x > b.x) {
            list[range.x + low] = b;
            list[range.x + high] = a;
          }
        }
      }
    }
  }
}
