// Stage 2: gives a tile its part of the list buffer and its segments. In which order the tiles come does not matter.
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

const LONG_LIST = 256u;

// Whether there is no room for the pairs, which the kernel's first thread tells the others.
fn isFull(isFirst: bool) -> bool {
  let full = atomicLoad(&status.pairs) > status.capacity;
  if (full && isFirst) {
    atomicStore(&status.halted, 1u);
  }
  return full;
}

fn counterOf(tile: u32, copy: u32) -> u32 {
  return copy * dispatch.endWorkgroup + tile;
}

// How many entries a copy has counted for a tile. The count begins anew.
fn takeCount(tile: u32, copy: u32) -> u32 {
  let counter = counterOf(tile, copy);
  let counted = tileCounts[counter];
  tileCounts[counter] = 0u;
  return counted;
}

// `place` counts the tiles with long lists, or the others.
fn allocateTile(tile: u32, list: TileList, isLong: bool, place: u32) {
  tileLists[tile] = list;
  for (var k = 0u; k < segmentsOf(list.count); k++) {
    let start = k * SEGMENT_LENGTH;
    segments[list.firstSegment + k] = Segment(tile, list.first + start, min(SEGMENT_LENGTH, list.count - start));
  }
  // The long ones from the front, the others from the back.
  tileOrder[select(dispatch.endWorkgroup - 1u - place, place, isLong)] = tile;
  copyStarts[tile * (COPIES + 1u) + COPIES] = list.first + list.count;
}
