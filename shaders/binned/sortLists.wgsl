// Stage 2: sorts each tile's list by blob index, which is the depth, and puts beside each entry what blending it takes; a
// thread an entry that a tile's segments have room for. The cells' ranges of blobs follow each other, so an entry's place is
// the number of entries of its own cell that come before it, behind those of the cells before.
#import binned/segments.wgsl
#import binned/support.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4u>;
@group(0) @binding(12) var<storage, read_write> cells: array<u32>;
@group(0) @binding(13) var<storage, read_write> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read_write> list: array<vec4u>;
@group(0) @binding(16) var<storage, read_write> status: Status;
@group(0) @binding(18) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(24) var<storage, read> places: array<vec2u>;

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

// Puts entry k of a cell into its tile's list, behind those of the cells before.
fn keepEntry(tile: u32, cell: u32, before: u32, k: u32) {
  let first = cells[firstPlaceOf(cell)];
  let place = places[first + k];
  let key = place.x;
  var rank = before;
  for (var other = first; other < first + cells[counterOf(cell, dispatch.step)]; other++) {
    rank += select(0u, 1u, places[other].x < key);
  }
  let source = 3u * key;
  let blob = unpackBlob(pixelBlobs[source], pixelBlobs[source + 1u], pixelBlobs[source + 2u]);
  let packed = packBlob(blob, vec3u(key, place.y, subtilesMet(blob, tile)));
  let entry = 3u * (tileLists[tile].first + rank);
  list[entry] = packed[0];
  list[entry + 1u] = packed[1];
  list[entry + 2u] = packed[2];
}

// Keeps how long a tile's list is, and empties the counters of the next step.
fn closeTile(tile: u32, count: u32) {
  tileLists[tile].count = count;
  var isFull = count > tileLists[tile].room || atomicLoad(&status.pairs) > status.capacity;
  for (var copy = 0u; copy < COPIES; copy++) {
    let cell = cellOf(tile, copy);
    let end = cells[firstPlaceOf(cell)] + cells[counterOf(cell, dispatch.step)];
    isFull = isFull || end > cells[endOfPlaces(cell)];
    cells[counterOf(cell, dispatch.step + 1u)] = 0u;
  }
  if (isFull) {
    atomicStore(&status.halted, 1u);
  }
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let thread = linearWorkgroup(workgroup, workgroups) * 128u + localIndex;
  let s = thread / SEGMENT_LENGTH;
  if (s >= atomicLoad(&status.segments) || atomicLoad(&status.halted) != 0u) {
    return;
  }
  let tile = segments[s].tile;
  let start = segments[s].first - tileLists[tile].first;
  let i = start + thread % SEGMENT_LENGTH;
  var count = 0u;
  var before = 0u;
  var own = 0u;
  for (var copy = 0u; copy < COPIES; copy++) {
    let counted = cells[counterOf(cellOf(tile, copy), dispatch.step)];
    if (i >= count) {
      before = count;
      own = copy;
    }
    count += counted;
  }
  if (i < count) {
    keepEntry(tile, cellOf(tile, own), before, i - before);
  }
  if (thread % SEGMENT_LENGTH == 0u) {
    segments[s].count = min(max(count, start) - start, SEGMENT_LENGTH);
  }
  if (i == 0u) {
    closeTile(tile, count);
  }
}
