// Stage 2: sorts each tile's list by blob index, which is the depth, and puts beside each entry what blending it takes. The
// cells' ranges of blobs follow each other, so an entry's place is the number of entries of its own cell that come before
// it, behind those of the cells before.
#import binned/segments.wgsl
#import binned/support.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4u>;
@group(0) @binding(12) var<storage, read_write> cells: array<Cell>;
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read_write> list: array<vec4u>;
@group(0) @binding(16) var<storage, read_write> status: Status;
@group(0) @binding(18) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(24) var<storage, read> places: array<vec2u>;

// Whether there is no room for the pairs, or was none.
fn isFull() -> bool {
  return atomicLoad(&status.halted) != 0u || atomicLoad(&status.pairs) > status.capacity;
}

fn halt() {
  atomicStore(&status.halted, 1u);
}

fn subtilesMet(blob: PixelBlob, tile: u32) -> u32 {
  var met = 0u;
  for (var subtile = 0u; subtile < SUBTILES; subtile++) {
    let first = vec2f(subtileOrigin(tile, subtile));
    if (meetsPixels(blob, first, first + vec2f(vec2u(SUBTILE_WIDTH, SUBTILE_HEIGHT) - 1u))) {
      met |= subtileBit(subtile);
    }
  }
  return met;
}

// Puts entry k of a cell, whose places begin at `first`, into its tile's list, behind those of the cells before.
fn keepEntry(tile: u32, tileList: TileList, before: u32, first: u32, count: u32, k: u32) {
  let place = places[first + k];
  let key = place.x;
  var at = before;
  for (var other = first; other < first + count; other++) {
    at += select(0u, 1u, places[other].x < key);
  }
  if (at >= tileList.room) {
    return;
  }
  let source = 3u * key;
  let blob = unpackBlob(pixelBlobs[source], pixelBlobs[source + 1u], pixelBlobs[source + 2u]);
  let packed = packBlob(blob, vec3u(key, place.y, subtilesMet(blob, tile)));
  let entry = 3u * (tileList.first + at);
  list[entry] = packed[0];
  list[entry + 1u] = packed[1];
  list[entry + 2u] = packed[2];
}

fn keepSegment(tileList: TileList, count: u32, k: u32) {
  let start = k * SEGMENT_LENGTH;
  segments[tileList.firstSegment + k].count = min(max(count, start) - start, SEGMENT_LENGTH);
}
