// Blends a tile's list into a row of pixels of one of its subtiles; a thread a row, without barriers.
// Who imports this says what becomes of the states on the way: keepState.
#import binned/blendEntries.wgsl

// A workgroup a subtile.
const THREADS = SUBTILE_HEIGHT;
const ROW = SUBTILE_WIDTH;

var<private> states: array<vec4f, ROW>;

// Blends from the row's first states to its last, which it leaves in `states`. The row's first pixel is p of its tile.
fn blendRow(tile: u32, subtile: u32, p: u32) {
  let tileList = tileLists[tile];
  let pixel = pixelOfTile(tile, p);
  for (var q = 0u; q < ROW; q++) {
    states[q] = clearState(tile, pixel + vec2u(q, 0u));
  }
  for (var k = 0u; k < segmentsOf(tileList.count); k++) {
    var isOpen = false;
    for (var q = 0u; q < ROW; q++) {
      isOpen = isOpen || states[q].a >= LOWEST_TRANSMITTANCE;
      keepState(tileList.firstSegment + k, p + q, states[q]);
    }
    let end = select(0u, min((k + 1u) * SEGMENT_LENGTH, tileList.count), isOpen);
    for (var i = k * SEGMENT_LENGTH; i < end; i++) {
      let entry = entryOf(tileList, i);
      let met = select(0u, ROW, (entry.subtiles & subtileBit(subtile)) != 0u);
      for (var q = 0u; q < met; q++) {
        states[q] = blendWhileOpen(states[q], colorOf(entry.blob, vec2f(pixel) + vec2f(f32(q), 0.0)));
      }
    }
  }
}
