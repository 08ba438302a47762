// Stage 5 with the list in workgroup memory: the threads alternate between loading one entry each and blending one
// pixel each. CPU references: rasterize in src/engine/model/binned/5-rasterize.ts, draw in
// src/engine/model/rasterize.ts.
#import binned/rasterize.wgsl

const THREADS = SUBTILE_PIXELS;

// Blobs of the current entries that overlap the subtile, followed by transparent padding.
var<workgroup> sh_blobs: array<PixelBlob, THREADS + 4u>;
// One bit per current entry that overlaps the subtile; double buffered.
var<workgroup> sh_met: array<atomic<u32>, 2>;
// Whether some pixel is still above LOWEST_TRANSMITTANCE; double buffered.
var<workgroup> sh_open: array<atomic<u32>, 2>;
var<workgroup> sh_continues: u32;
var<workgroup> sh_errors: array<f32, THREADS>;

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
    report(tileList, subtile, 0u, 1u, sum);
  }
}

fn storeTaken(segment: u32, subtile: u32, entries: u32) {
  if (!DRAWS) {
    segmentStates[segment * SEGMENT_STRIDE + TILE_PIXELS + subtile] = vec4u(entries, vec3u());
  }
}

fn colorAt(i: u32, pixel: vec2f) -> vec4f {
  return colorOf(sh_blobs[i], pixel);
}

// Returns the final state of a thread's pixel. Call it in uniform control flow.
fn blendPixel(tileList: TileList, subtile: u32, localIndex: u32, p: u32, own: vec2u) -> vec4f {
  if (localIndex < 2u) {
    atomicStore(&sh_met[localIndex], 0u);
    atomicStore(&sh_open[localIndex], 0u);
  }
  workgroupBarrier();
  let pixel = vec2f(own);
  var state = clearState(tileList.tile, own);
  var entry = entryOf(tileList, localIndex);
  var blob = blobOf(entry, subtile);
  var ahead = entryOf(tileList, THREADS + localIndex);
  var turn = 0u;
  // End of the entries that some pixel blends.
  var end = tileList.count;
  for (var first = 0u; first < tileList.count; first += THREADS) {
    if (first % SEGMENT_LENGTH == 0u) {
      storeState(tileList.firstSegment + first / SEGMENT_LENGTH, p, state);
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
      let a = colorAt(i, pixel);
      let b = colorAt(i + 1u, pixel);
      let c = colorAt(i + 2u, pixel);
      let d = colorAt(i + 3u, pixel);
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
  for (var k = localIndex; k < segmentsOf(tileList.count); k += THREADS) {
    storeTaken(tileList.firstSegment + k, subtile, max(end, k * SEGMENT_LENGTH) - k * SEGMENT_LENGTH);
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
