// Computes each intersection's contribution to its blob's gradient; one workgroup per segment, one thread per pixel of
// each subtile. It walks the segment front to back from the pixels' states that stage 5 stored, so no segment waits for
// another. A few BLOBS at a time are differentiated at the pixels of the subtiles that they overlap. Each thread sums
// over its pixels. Then one thread per pair of values sums over the threads, always in the same order, and stores the
// pair in the intersection's slot. A variant of stage 6 that imports this file defines storePartials, BLOBS, the number
// of PARTIALS per value and the STRIDE between them. CPU reference: differentiate in src/engine/model/rasterize.ts.
#import binned/slots.wgsl
#import shared/parameters.wgsl

// Blobs as vectors, and slots as pairs of words, since several threads load a blob and store a slot.
@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4u>;
@group(0) @binding(14) var<storage, read> list: array<Entry>;
@group(0) @binding(15) var<storage, read_write> slots: array<vec2u>;
@group(0) @binding(16) var<storage, read> status: FinalStatus;
@group(0) @binding(18) var<storage, read> segments: array<Segment>;
@group(0) @binding(19) var<storage, read> segmentStates: array<vec4u>;
@group(0) @binding(20) var<storage, read> pixels: array<vec4f>;

const THREADS = SUBTILE_PIXELS;
// Subtiles in one pass over the segment: a thread has a pixel of each. Tiles with more take several passes.
const MOST_OF_GROUP = 8u;
override GROUP: u32 = min(SUBTILES, MOST_OF_GROUP);
const BLOB_VECTORS = 3u;
// Pairs of words of a slot. Those in use are called rows; the last holds the ninth value and the step.
const SLOT_VECTORS = 6u;
const ROWS = (PARAMETER_COUNT + 1u) / 2u;

// The current blobs: nine words each, then the indices of the blob and the intersection, and a bit per subtile that
// takes it.
var<workgroup> sh_blobs: array<vec4u, BLOB_VECTORS * BLOBS>;
// Ordered by partial sum, so that threads of neighbouring rows read neighbouring words. Whole vectors are written,
// since writing one component may write the whole vector.
var<workgroup> sh_partials: array<vec2f, PARTIALS * STRIDE>;
// A thread sums at most one row.
const_assert ROWS * BLOBS <= min(THREADS, STRIDE);

// Returns the entry of which a thread loads one vector, among those from `first` on.
fn entryOf(segment: Segment, first: u32, localIndex: u32) -> Entry {
  return list[segment.first + min(first + min(localIndex / BLOB_VECTORS, BLOBS - 1u), segment.count - 1u)];
}

// Returns a thread's vector of an entry's blob, if it has takers: one bit per subtile that blends it.
fn vectorOf(entry: Entry, takers: u32, localIndex: u32) -> vec4u {
  let at = localIndex % BLOB_VECTORS;
  var vector = vec4u();
  if (takers != 0u) {
    vector = pixelBlobs[BLOB_VECTORS * entry.blob + at];
  }
  return select(vector, vec4u(vector.x, entry.blob, entry.intersection, takers), at == BLOB_VECTORS - 1u);
}

// Returns a bit for each subtile of the group that the entry overlaps and that has pixels to blend it.
fn takersOf(subtiles: u32, group: u32, k: u32, taken: array<u32, MOST_OF_GROUP>) -> u32 {
  var open = 0u;
  for (var j = 0u; j < GROUP; j++) {
    open |= select(0u, 1u << j, k < taken[j]);
  }
  // In tiles with more subtiles than bits, several share a bit.
  return (subtiles >> (group % 32u)) & open;
}

// Returns the number of the segment's entries that some pixel of a subtile blends.
fn takenBy(subtile: u32, s: u32) -> u32 {
  if (subtile >= SUBTILES) {
    return 0u;
  }
  return segmentStates[s * SEGMENT_STRIDE + TILE_PIXELS + subtile].x;
}

// Stores a partial sum of one row of a blob.
fn storePartial(b: u32, row: u32, part: u32, values: vec2f) {
  sh_partials[part * STRIDE + ROWS * b + row] = values;
}

// Sums the partial sums of a row, counted over all blobs.
fn sumPartials(row: u32) -> vec2f {
  var sum = mat4x2f();
  for (var at = row; at < PARTIALS * STRIDE; at += 4u * STRIDE) {
    sum += mat4x2f(
      sh_partials[at], sh_partials[at + STRIDE], sh_partials[at + 2u * STRIDE], sh_partials[at + 3u * STRIDE]);
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Differentiates a segment into the slots of its intersections. Call it in uniform control flow.
fn differentiateSegment(s: u32, localIndex: u32) {
  if (status.overflowed != 0u || s >= min(status.segments, dispatch.end)) {
    return;
  }
  let segment = segments[s];
  for (var group = 0u; group < SUBTILES; group += GROUP) {
    var positions: array<vec2f, MOST_OF_GROUP>;
    var gradients: array<vec3f, MOST_OF_GROUP>;
    var states: array<vec2f, MOST_OF_GROUP>;
    var taken: array<u32, MOST_OF_GROUP>;
    for (var j = 0u; j < GROUP; j++) {
      let subtile = group + j;
      taken[j] = takenBy(subtile, s);
      if (taken[j] > 0u) {
        let p = subtile * SUBTILE_PIXELS + localIndex;
        let gradient = pixels[segment.tile * TILE_PIXELS + p];
        positions[j] = vec2f(pixelOfTile(segment.tile, p));
        gradients[j] = gradient.rgb;
        states[j] = backwardState(gradient, bitcast<vec4f>(segmentStates[s * SEGMENT_STRIDE + p]));
      }
    }
    var entry = entryOf(segment, 0u, localIndex);
    var vector = vectorOf(entry, takersOf(entry.subtiles, group, localIndex / BLOB_VECTORS, taken), localIndex);
    entry = entryOf(segment, BLOBS, localIndex);
    for (var first = 0u; first < segment.count; first += BLOBS) {
      workgroupBarrier();
      if (localIndex < BLOB_VECTORS * BLOBS) {
        sh_blobs[localIndex] = vector;
      }
      workgroupBarrier();
      // Prefetched while these are processed: the next blobs, and the entries after them.
      let k = first + BLOBS + localIndex / BLOB_VECTORS;
      vector = vectorOf(entry, takersOf(entry.subtiles, group, k, taken), localIndex);
      entry = entryOf(segment, first + 2u * BLOBS, localIndex);
      let blobs = min(BLOBS, segment.count - first);
      for (var b = 0u; b < blobs; b++) {
        let at = BLOB_VECTORS * b;
        let packed = PackedBlob(sh_blobs[at], sh_blobs[at + 1u], sh_blobs[at + 2u]);
        let blob = unpackBlob(packed);
        let clampable = clampBlob(packed.c.y);
        var sum = Slot();
        for (var j = 0u; j < GROUP; j++) {
          if ((packed.c.w & (1u << j)) != 0u) {
            let offset = positions[j] - blob.center;
            let derivatives = differentiatePixel(blob, offset, gradients[j], states[j]);
            addPixel(&sum, clampable, derivatives.dPower, offset, derivatives.weight * gradients[j]);
            states[j] = derivatives.state;
          }
        }
        storePartials(b, localIndex, sum);
      }
      workgroupBarrier();
      if (localIndex < ROWS * blobs) {
        let row = localIndex % ROWS;
        let intersection = sh_blobs[BLOB_VECTORS * (localIndex / ROWS) + 2u].z;
        let at = SLOT_VECTORS * intersection + row;
        var total = sumPartials(localIndex);
        if (group > 0u) {
          total += bitcast<vec2f>(slots[at]);
        }
        slots[at] = vec2u(bitcast<u32>(total.x), select(bitcast<u32>(total.y), dispatch.step, row == ROWS - 1u));
      }
    }
  }
}
