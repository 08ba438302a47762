// Stage 5 without barriers: one thread per row of a subtile's pixels. CPU references: rasterize in
// src/engine/model/binned/5-rasterize.ts, draw in src/engine/model/rasterize.ts.
#import binned/rasterize.wgsl

const THREADS = SUBTILE_HEIGHT;
const PIXELS = SUBTILE_WIDTH;

var<private> states: array<vec4f, PIXELS>;

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let w = linearWorkgroup(workgroup);
  if (listIndexOf(w) >= dispatch.end) {
    return;
  }
  let tileList = tileLists[listIndexOf(w)];
  let subtile = w % SUBTILES;
  let p = subtile * SUBTILE_PIXELS + localIndex * PIXELS;
  let pixel = pixelOfTile(tileList.tile, p);
  blendPixels(tileList, subtile, p, pixel);
  var squaredError = 0.0;
  for (var q = 0u; q < PIXELS; q++) {
    squaredError += finishPixel(tileList.tile, p + q, pixel + vec2u(q, 0u), states[q]);
  }
  report(tileList, subtile, localIndex, THREADS, squaredError);
}

// Blends the list into the row's pixels.
fn blendPixels(tileList: TileList, subtile: u32, p: u32, pixel: vec2u) {
  for (var q = 0u; q < PIXELS; q++) {
    states[q] = clearState(tileList.tile, pixel + vec2u(q, 0u));
  }
  for (var k = 0u; k < segmentsOf(tileList.count); k++) {
    var isOpen = false;
    for (var q = 0u; q < PIXELS; q++) {
      isOpen = isOpen || states[q].a >= LOWEST_TRANSMITTANCE;
      storeState(tileList.firstSegment + k, p + q, states[q]);
    }
    let end = select(0u, min((k + 1u) * SEGMENT_LENGTH, tileList.count), isOpen);
    for (var i = k * SEGMENT_LENGTH; i < end; i++) {
      let entry = list[tileList.first + i];
      if (!meets(entry, subtile)) {
        continue;
      }
      let blob = unpackBlob(pixelBlobs[entry.blob]);
      for (var q = 0u; q < PIXELS; q++) {
        states[q] = blendWhileOpen(states[q], colorOf(blob, vec2f(pixel) + vec2f(f32(q), 0.0)));
      }
    }
  }
}
