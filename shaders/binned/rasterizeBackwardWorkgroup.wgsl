// Stage 6: what each pair of a tile and a blob adds to the blob's gradient; a workgroup a segment, in two phases for each
// subtile and some of the blobs that meet it. First a thread is a pixel and takes these blobs, one after the other. Then
// threads share the blobs and add up what the pixels left.
#import binned/segments.wgsl
#import binned/backward.wgsl

@group(0) @binding(19) var<storage, read> segmentStates: array<vec4u>;

const THREADS = SUBTILE_PIXELS;
// Blobs of a phase.
const ROWS = 8u;
const THREADS_PER_ROW = THREADS / ROWS;
const PIXELS_PER_THREAD = SUBTILE_PIXELS / THREADS_PER_ROW;
// One more, so that no column lies in one bank of workgroup memory.
const ROW = SUBTILE_PIXELS + 1u;
const VALUES = 9u;

var<workgroup> sh_blobs: array<PixelBlob, THREADS + 1u>;
var<workgroup> sh_clampable: array<u32, THREADS + 1u>;
// dL/dpower and weight, a row a blob and a column a pixel.
var<workgroup> sh_passed: array<vec2f, ROW * ROWS>;
// The blob of each row.
var<workgroup> sh_order: array<u32, ROWS>;
var<workgroup> sh_gradients: array<vec3f, SUBTILE_PIXELS + THREADS_PER_ROW>;
var<workgroup> sh_met: atomic<u32>;
var<workgroup> sh_bits: u32;
var<workgroup> sh_parts: array<f32, VALUES * THREADS>;
var<workgroup> sh_sums: array<f32, VALUES * (THREADS + 1u)>;
// Of each pixel of the tile: transmittance and the rest still to come, as the blobs so far leave them.
var<workgroup> sh_states: array<vec2f, TILE_PIXELS>;

fn lowest(bits: u32) -> u32 {
  return min(countTrailingZeros(bits), THREADS);
}

// Takes blob k past the thread's pixel.
fn takePast(k: u32, row: u32, pixel: vec2f, d: vec3f, state: vec2f, localIndex: u32) -> vec2f {
  let blob = sh_blobs[k];
  let passed = passPixel(blob, pixel - blob.center, d, state);
  sh_passed[row * ROW + localIndex] = vec2f(passed.dPower, passed.weight);
  if (localIndex == row) {
    sh_order[row] = k;
  }
  return passed.state;
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let s = linearWorkgroup(workgroup, workgroups);
  if (s >= min(segmentCount(), dispatch.endWorkgroup)) {
    return;
  }
  let segment = segments[s];
  let states = s * SEGMENT_STRIDE;
  if (localIndex == 0u) {
    sh_blobs[THREADS] = PixelBlob();
  }
  let row = localIndex % ROWS;
  let part = localIndex / ROWS;
  for (var chunk = 0u; chunk < segment.count; chunk += THREADS) {
    let isThere = chunk + localIndex < segment.count;
    let entry = entryOf(segment, chunk + localIndex);
    let subtiles = select(0u, entry.subtiles, isThere);
    workgroupBarrier();
    sh_blobs[localIndex] = entry.blob;
    sh_clampable[localIndex] = entry.index;
    for (var v = 0u; v < VALUES; v++) {
      sh_sums[v * (THREADS + 1u) + localIndex] = 0.0;
    }
    for (var subtile = 0u; subtile < SUBTILES; subtile++) {
      let origin = subtileOrigin(segment.tile, subtile);
      let p = subtile * SUBTILE_PIXELS + localIndex;
      let isOpen = segmentStates[states + TILE_PIXELS + subtile / 4u][subtile % 4u] != 0u;
      if (localIndex == 0u) {
        atomicStore(&sh_met, 0u);
      }
      workgroupBarrier();
      if (isOpen && (subtiles & subtileBit(subtile)) != 0u) {
        atomicOr(&sh_met, 1u << localIndex);
      }
      let gradient = pixelGradients[segment.tile * TILE_PIXELS + p];
      if (chunk == 0u) {
        sh_states[p] = beginning(gradient, bitcast<vec4f>(segmentStates[states + p]));
      }
      var state = sh_states[p];
      workgroupBarrier();
      if (localIndex == 0u) {
        sh_bits = atomicLoad(&sh_met);
      }
      var bits = workgroupUniformLoad(&sh_bits);
      sh_gradients[localIndex + localIndex / PIXELS_PER_THREAD] = gradient.rgb;
      let pixel = vec2f(origin + vec2u(localIndex % SUBTILE_WIDTH, localIndex / SUBTILE_WIDTH));
      for (; bits != 0u;) {
        for (var r = 0u; r < ROWS; r += 2u) {
          let a = lowest(bits);
          bits &= bits - 1u;
          let b = lowest(bits);
          bits &= bits - 1u;
          state = takePast(a, r, pixel, gradient.rgb, state, localIndex);
          state = takePast(b, r + 1u, pixel, gradient.rgb, state, localIndex);
        }
        workgroupBarrier();
        let k = sh_order[row];
        let center = sh_blobs[k].center;
        var clampable = ClampBlob();
        if (CLAMPED && k < THREADS) {
          clampable = clampBlob(sh_clampable[k]);
        }
        var sum = Slot();
        for (var q = 0u; q < PIXELS_PER_THREAD; q++) {
          let at = part * PIXELS_PER_THREAD + q;
          let passed = sh_passed[row * ROW + at];
          let offset = vec2f(origin + vec2u(at % SUBTILE_WIDTH, at / SUBTILE_WIDTH)) - center;
          addPixel(&sum, clampable, passed.x, offset, passed.y * sh_gradients[at + part]);
        }
        sh_parts[localIndex] = sum.a.x;
        sh_parts[THREADS + localIndex] = sum.a.y;
        sh_parts[2u * THREADS + localIndex] = sum.a.z;
        sh_parts[3u * THREADS + localIndex] = sum.a.w;
        sh_parts[4u * THREADS + localIndex] = sum.b.x;
        sh_parts[5u * THREADS + localIndex] = sum.b.y;
        sh_parts[6u * THREADS + localIndex] = sum.b.z;
        sh_parts[7u * THREADS + localIndex] = sum.b.w;
        sh_parts[8u * THREADS + localIndex] = sum.c;
        workgroupBarrier();
        for (var o = localIndex; o < ROWS * VALUES; o += THREADS) {
          let v = o / ROWS;
          let r = o % ROWS;
          var total = 0.0;
          for (var q = 0u; q < THREADS_PER_ROW; q++) {
            total += sh_parts[v * THREADS + q * ROWS + r];
          }
          sh_sums[v * (THREADS + 1u) + sh_order[r]] += total;
        }
        workgroupBarrier();
      }
      sh_states[p] = state;
    }
    if (isThere) {
      const s = THREADS + 1u;
      let i = localIndex;
      keep(entry.pair, Slot(
        vec4f(sh_sums[i], sh_sums[s + i], sh_sums[2u * s + i], sh_sums[3u * s + i]),
        vec4f(sh_sums[4u * s + i], sh_sums[5u * s + i], sh_sums[6u * s + i], sh_sums[7u * s + i]),
        sh_sums[8u * s + i],
        0u));
    }
  }
}
