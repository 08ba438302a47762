// Shared by the variants of stage 5, which blend each tile's list into its pixels and compute the loss, or draw; one
// workgroup per subtile. CPU references: rasterize in src/engine/model/binned/5-rasterize.ts, draw in
// src/engine/model/rasterize.ts.
#import binned/lists.wgsl
#import shared/blend.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

override DRAWS: bool = false;

@group(0) @binding(10) var<storage, read> pixelBlobs: array<PackedBlob>;
@group(0) @binding(13) var<storage, read> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read> list: array<Entry>;
@group(0) @binding(16) var<storage, read_write> status: Status;
// Pixel states before each segment, so that the backward pass can process all segments in parallel.
@group(0) @binding(19) var<storage, read_write> segmentStates: array<vec4u>;
// Per pixel of each tile: dL/dC, and dL/dC . C + dL/dT T at the end. In a render: red, green, blue and T.
@group(0) @binding(20) var<storage, read_write> pixels: array<vec4f>;

// Returns the index of a workgroup's tile in tileLists.
fn listIndexOf(w: u32) -> u32 {
  return dispatch.first + w / SUBTILES;
}

// Returns an entry of the list; past its end, an entry that overlaps nothing.
fn entryOf(tileList: TileList, i: u32) -> Entry {
  if (i >= tileList.count) {
    return Entry();
  }
  return list[tileList.first + i];
}

fn meets(entry: Entry, subtile: u32) -> bool {
  return (entry.subtiles & subtileBit(subtile)) != 0u;
}

// Returns the blob of an entry, or a transparent one if it does not overlap the subtile.
fn blobOf(entry: Entry, subtile: u32) -> PixelBlob {
  if (!meets(entry, subtile)) {
    return PixelBlob();
  }
  return unpackBlob(pixelBlobs[entry.blob]);
}

// Returns a blob's colour and alpha at a pixel.
fn colorOf(blob: PixelBlob, pixel: vec2f) -> vec4f {
  return vec4f(blob.color, min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, pixel - blob.center)));
}

fn blendWhileOpen(state: vec4f, blob: vec4f) -> vec4f {
  return alphaBlend(state, vec4f(blob.rgb, select(0.0, blob.a, state.a >= LOWEST_TRANSMITTANCE)));
}

// Pixels outside start opaque, so they take no blob.
fn clearState(tile: u32, pixel: vec2u) -> vec4f {
  return vec4f(0.0, 0.0, 0.0, select(0.0, 1.0, isInside(tile, pixel)));
}

fn storeState(segment: u32, p: u32, state: vec4f) {
  if (!DRAWS) {
    segmentStates[segment * SEGMENT_STRIDE + p] = bitcast<vec4u>(state);
  }
}

// Stores the gradient of pixel p of a tile, or draws it. Returns its squared error.
fn finishPixel(tile: u32, p: u32, pixel: vec2u, state: vec4f) -> f32 {
  let inside = isInside(tile, pixel);
  if (DRAWS) {
    if (inside) {
      pixels[pixel.y * dispatch.renderSize.x + pixel.x] = vec4f(composite(state), state.a);
    }
    return 0.0;
  }
  var loss = LossGradient();
  if (inside) {
    loss = lossBackward(state, targetColor(pixel + vec2u(0u, bandTop())));
  }
  pixels[tile * TILE_PIXELS + p] = vec4f(loss.pixel.rgb, dot(loss.pixel, state));
  return loss.squaredError;
}

// Resets the counts for the lists of the next step.
fn emptyLists() {
  atomicStore(&status.intersections, 0u);
  atomicStore(&status.entries, 0u);
  atomicStore(&status.longTiles, 0u);
  atomicStore(&status.shortTiles, 0u);
}

// Reports the squared error of a subtile, or of one of its `rows`. The first one also reports the list's length.
fn report(tileList: TileList, subtile: u32, row: u32, rows: u32, squaredError: f32) {
  // After an overflow the lists are those of the last step, but the blobs have moved: its report stays.
  if (DRAWS || atomicLoad(&status.overflowed) != 0u) {
    return;
  }
  let isFirst = subtile == 0u && row == 0u;
  let length = select(0u, tileList.count, isFirst);
  let imageTile = bandTop() / TILE_HEIGHT * tilesAcross(dispatch.renderSize) + tileList.tile;
  tileStatistics[(imageTile * SUBTILES + subtile) * rows + row] = TileStatistics(squaredError, length, 1u);
  if (isFirst && tileList.tile == 0u) {
    emptyLists();
  }
}
