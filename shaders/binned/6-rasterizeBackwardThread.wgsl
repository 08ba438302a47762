// Stage 6 without barriers: computes each intersection's contribution to its blob's gradient; one thread per segment,
// one subtile after the other, so that the states of its pixels fit private memory. CPU reference: rasterizeBackward in
// src/engine/model/binned/6-rasterizeBackward.ts.
#import binned/slots.wgsl
#import shared/parameters.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<PackedBlob>;
@group(0) @binding(14) var<storage, read> list: array<Entry>;
@group(0) @binding(15) var<storage, read_write> slots: array<Slot>;
@group(0) @binding(16) var<storage, read> status: FinalStatus;
@group(0) @binding(18) var<storage, read> segments: array<Segment>;
@group(0) @binding(19) var<storage, read> segmentStates: array<vec4u>;
@group(0) @binding(20) var<storage, read> pixels: array<vec4f>;

const THREADS = 4u;

// dL/dC of each pixel of the subtile, and its state after the blobs so far.
var<private> gradients: array<vec3f, SUBTILE_PIXELS>;
var<private> pixelStates: array<vec2f, SUBTILE_PIXELS>;

fn storeSlot(intersection: u32, sum: Slot) {
  slots[intersection] = Slot(sum.a, sum.b, sum.c, dispatch.step);
}

// Returns the first entry from k on that overlaps a subtile. A loop of its own, so that threads in lockstep search
// separately and then evaluate pixels together.
fn nextEntry(segment: Segment, k: u32, subtile: u32) -> u32 {
  var next = k;
  while (next < segment.count && (list[segment.first + next].subtiles & subtileBit(subtile)) == 0u) {
    next++;
  }
  return next;
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let s = dispatch.first + THREADS * linearWorkgroup(workgroup) + localIndex;
  if (status.overflowed != 0u || s >= min(status.segments, dispatch.end)) {
    return;
  }
  let segment = segments[s];
  for (var k = 0u; k < segment.count; k++) {
    storeSlot(list[segment.first + k].intersection, Slot());
  }
  for (var subtile = 0u; subtile < SUBTILES; subtile++) {
    let first = subtile * SUBTILE_PIXELS;
    var isOpen = false;
    for (var q = 0u; q < SUBTILE_PIXELS; q++) {
      let gradient = pixels[segment.tile * TILE_PIXELS + first + q];
      gradients[q] = gradient.rgb;
      pixelStates[q] = backwardState(gradient, bitcast<vec4f>(segmentStates[s * SEGMENT_STRIDE + first + q]));
      isOpen = isOpen || pixelStates[q].x >= LOWEST_TRANSMITTANCE;
    }
    let origin = vec2f(subtileOrigin(segment.tile, subtile));
    // A subtile of opaque pixels takes no blob.
    var k = nextEntry(segment, select(segment.count, 0u, isOpen), subtile);
    for (; k < segment.count; k = nextEntry(segment, k + 1u, subtile)) {
      let entry = list[segment.first + k];
      let blob = unpackBlob(pixelBlobs[entry.blob]);
      let clampable = clampBlob(entry.blob);
      var sum = slots[entry.intersection];
      for (var q = 0u; q < SUBTILE_PIXELS; q++) {
        let offset = origin + vec2f(f32(q % SUBTILE_WIDTH), f32(q / SUBTILE_WIDTH)) - blob.center;
        let d = gradients[q];
        let derivatives = differentiatePixel(blob, offset, d, pixelStates[q]);
        pixelStates[q] = derivatives.state;
        addPixel(&sum, clampable, derivatives.dPower, offset, derivatives.weight * d);
      }
      storeSlot(entry.intersection, sum);
    }
  }
}
