// Stage 5: blends each tile's list into its pixels and computes the loss, or draws; one workgroup per subtile. The list
// is in workgroup memory: the threads alternate between loading one entry each and blending one pixel each. CPU
// references: differentiate in src/engine/model/rasterize.ts, draw in src/engine/model/rasterize.ts.
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

const THREADS = SUBTILE_PIXELS;

// Blobs of the current entries that overlap the subtile, followed by transparent padding.
var<workgroup> sh_blobs: array<PixelBlob, THREADS + 4u>;
// One bit per current entry that overlaps the subtile; double buffered.
var<workgroup> sh_met: array<atomic<u32>, 2>;
// Whether some pixel is still above LOWEST_TRANSMITTANCE; double buffered.
var<workgroup> sh_open: array<atomic<u32>, 2>;
var<workgroup> sh_continues: u32;
var<workgroup> sh_errors: array<f32, THREADS>;

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
    loss = lossBackward(state, targetColor(pixel + vec2u(0u, dispatch.top)));
  }
  pixels[tile * TILE_PIXELS + p] = vec4f(loss.pixel.rgb, dot(loss.pixel, state));
  return loss.squaredError;
}

// Reports the squared error of a subtile. The first one also reports the list's length, and that of the first tile resets
// the counts for the lists of the next step.
fn report(tileList: TileList, subtile: u32, squaredError: f32) {
  // After an overflow the lists are those of the last step, but the blobs have moved: its report stays.
  if (atomicLoad(&status.overflowed) != 0u) {
    return;
  }
  let length = select(0u, tileList.count, subtile == 0u);
  let imageTile = dispatch.top / TILE_HEIGHT * tilesAcross(dispatch.renderSize) + tileList.tile;
  tileStatistics[imageTile * SUBTILES + subtile] = TileStatistics(squaredError, length, 1u);
  if (subtile == 0u && tileList.tile == 0u) {
    atomicStore(&status.intersections, 0u);
    atomicStore(&status.entries, 0u);
    atomicStore(&status.longTiles, 0u);
    atomicStore(&status.shortTiles, 0u);
  }
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let w = linearWorkgroup(workgroup);
  if (listIndexOf(w) >= dispatch.end) {
    return;
  }
  let tileList = tileLists[listIndexOf(w)];
  let subtile = w % SUBTILES;
  let p = subtile * SUBTILE_PIXELS + localIndex;
  let pixel = pixelOfTile(tileList.tile, p);
  let state = blendPixel(tileList, subtile, localIndex, p, pixel);
  let squaredError = finishPixel(tileList.tile, p, pixel, state);
  if (DRAWS) {
    return;
  }
  let sum = sumErrors(squaredError, localIndex);
  if (localIndex == 0u) {
    report(tileList, subtile, sum);
  }
}

// Returns the final state of a thread's pixel. Call it in uniform control flow.
fn blendPixel(tileList: TileList, subtile: u32, localIndex: u32, p: u32, own: vec2u) -> vec4f {
  if (localIndex < 2u) {
    atomicStore(&sh_met[localIndex], 0u);
    atomicStore(&sh_open[localIndex], 0u);
  }
  workgroupBarrier();
  let pixel = vec2f(own);
  // Pixels outside start opaque, so they take no blob.
  var state = vec4f(0.0, 0.0, 0.0, select(0.0, 1.0, isInside(tileList.tile, own)));
  var entry = entryOf(tileList, localIndex);
  var blob = blobOf(entry, subtile);
  var ahead = entryOf(tileList, THREADS + localIndex);
  var turn = 0u;
  // End of the entries that some pixel blends.
  var end = tileList.count;
  for (var first = 0u; first < tileList.count; first += THREADS) {
    if (!DRAWS) {
      if (first % SEGMENT_LENGTH == 0u) {
        let segment = tileList.firstSegment + first / SEGMENT_LENGTH;
        segmentStates[segment * SEGMENT_STRIDE + p] = bitcast<vec4u>(state);
      }
    }
    let isMet = meets(entry, subtile);
    if (isMet) {
      atomicOr(&sh_met[turn], 1u << localIndex);
    }
    workgroupBarrier();
    let met = atomicLoad(&sh_met[turn]);
    let count = countOneBits(met);
    if (isMet) {
      sh_blobs[countOneBits(met & ((1u << localIndex) - 1u))] = blob;
    }
    if (localIndex < 4u) {
      sh_blobs[count + localIndex] = PixelBlob();
    }
    if (localIndex == 0u) {
      atomicStore(&sh_met[1u - turn], 0u);
      atomicStore(&sh_open[1u - turn], 0u);
    }
    workgroupBarrier();
    // Prefetched while these are blended: the next blobs, and the entries after them.
    entry = ahead;
    blob = blobOf(entry, subtile);
    ahead = entryOf(tileList, first + 2u * THREADS + localIndex);
    // Four at a time: their colours and alphas are independent, only the blending is sequential.
    for (var i = 0u; i < count && state.a >= LOWEST_TRANSMITTANCE; i += 4u) {
      let a = colorOf(sh_blobs[i], pixel);
      let b = colorOf(sh_blobs[i + 1u], pixel);
      let c = colorOf(sh_blobs[i + 2u], pixel);
      let d = colorOf(sh_blobs[i + 3u], pixel);
      state = blendWhileOpen(blendWhileOpen(blendWhileOpen(blendWhileOpen(state, a), b), c), d);
    }
    if (state.a >= LOWEST_TRANSMITTANCE) {
      atomicStore(&sh_open[turn], 1u);
    }
    workgroupBarrier();
    if (localIndex == 0u) {
      sh_continues = atomicLoad(&sh_open[turn]);
    }
    if (workgroupUniformLoad(&sh_continues) == 0u) {
      end = min(end, first + THREADS);
      break;
    }
    turn = 1u - turn;
  }
  if (!DRAWS) {
    for (var k = localIndex; k < segmentsOf(tileList.count); k += THREADS) {
      let taken = max(end, k * SEGMENT_LENGTH) - k * SEGMENT_LENGTH;
      segmentStates[(tileList.firstSegment + k) * SEGMENT_STRIDE + TILE_PIXELS + subtile] = vec4u(taken, vec3u());
    }
  }
  return state;
}

// Sums over the workgroup's pixels; the sum is thread 0's result.
fn sumErrors(squaredError: f32, localIndex: u32) -> f32 {
  sh_errors[localIndex] = squaredError;
  for (var stride = THREADS / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (localIndex < stride) {
      sh_errors[localIndex] += sh_errors[localIndex + stride];
    }
  }
  return sh_errors[localIndex];
}
