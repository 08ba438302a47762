// What each pair of a tile and a blob adds to the blob's gradient; a workgroup a segment, a thread a pixel of each of its
// subtiles. The blobs pass by, and only subtiles that meet one take it. What a few blobs leave is then summed over the
// pixels, a thread for two values. The kernels of stage 6 that import this define keepParts, and in how many PARTS, a
// STRIDE apart, the pixels' parts of so many BLOBS at a time are summed. Twin: src/engine/model/binned/6-rasterizeBackward.ts.
#import binned/slots.wgsl
#import shared/parameters.wgsl

// The vectors of the blobs, and the words of the slots by twos, since threads share those of one.
@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4u>;
@group(0) @binding(14) var<storage, read> list: array<Entry>;
@group(0) @binding(15) var<storage, read_write> slots: array<vec2u>;
@group(0) @binding(16) var<storage, read> status: FinalStatus;
@group(0) @binding(18) var<storage, read> segments: array<Segment>;
@group(0) @binding(19) var<storage, read> segmentStates: array<vec4u>;
@group(0) @binding(20) var<storage, read> pixels: array<vec4f>;

const THREADS = SUBTILE_PIXELS;
// Subtiles that a thread has a pixel of at a time, and most of them.
const MOST_OF_GROUP = 8u;
override GROUP: u32 = min(SUBTILES, MOST_OF_GROUP);
const BLOB_VECTORS = 3u;
// Twos of a slot's words; those in use are rows, the last of which is the ninth value and the step.
const SLOT_VECTORS = 6u;
const ROWS = (PARAMETER_COUNT + 1u) / 2u;

// The blobs at hand. Behind the nine words of each stand its number, the pair's, and the subtiles that take it.
var<workgroup> sh_blobs: array<vec4u, BLOB_VECTORS * BLOBS>;
// Part by part, so that threads of neighbouring rows read neighbouring words; each vector is written as a whole, since who
// writes a component of one may write all of it.
var<workgroup> sh_parts: array<vec2f, PARTS * STRIDE>;
// A thread sums at most one row.
const_assert ROWS * BLOBS <= min(THREADS, STRIDE);

// The entry of which a thread fetches a part, among those from `first` on.
fn entryOf(segment: Segment, first: u32, localIndex: u32) -> Entry {
  return list[segment.first + min(first + min(localIndex / BLOB_VECTORS, BLOBS - 1u), segment.count - 1u)];
}

// A thread's vector of an entry's blob, if some subtile takes it.
fn vectorOf(entry: Entry, open: u32, localIndex: u32) -> vec4u {
  let at = localIndex % BLOB_VECTORS;
  var vector = vec4u();
  if (open != 0u) {
    vector = pixelBlobs[BLOB_VECTORS * entry.blob + at];
  }
  return select(vector, vec4u(vector.x, entry.blob, entry.pair, open), at == BLOB_VECTORS - 1u);
}

// Those of an entry's subtiles that are in the group, a bit each, and still take it.
fn subtilesOf(subtiles: u32, group: u32, k: u32, taken: array<u32, MOST_OF_GROUP>) -> u32 {
  var open = 0u;
  for (var j = 0u; j < GROUP; j++) {
    open |= select(0u, 1u << j, k < taken[j]);
  }
  // Of tiles with more subtiles than bits, several share one.
  return (subtiles >> (group % 32u)) & open;
}

// Entries of the segment that a subtile takes at most.
fn takenBy(subtile: u32, s: u32) -> u32 {
  if (subtile >= SUBTILES) {
    return 0u;
  }
  return segmentStates[s * SEGMENT_STRIDE + TILE_PIXELS + subtile].x;
}

// Keeps a part of two values of a blob to be summed: there are PARTS of each.
fn keepPart(b: u32, row: u32, part: u32, values: vec2f) {
  sh_parts[part * STRIDE + ROWS * b + row] = values;
}

// The sum of the parts of a row, of all blobs' rows the given one.
fn sumParts(row: u32) -> vec2f {
  var sum = mat4x2f();
  for (var at = row; at < PARTS * STRIDE; at += 4u * STRIDE) {
    sum += mat4x2f(sh_parts[at], sh_parts[at + STRIDE], sh_parts[at + 2u * STRIDE], sh_parts[at + 3u * STRIDE]);
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// From a segment to its pairs' slots. Call it in uniform control flow.
fn passSegment(s: u32, localIndex: u32) {
  if (status.halted != 0u || s >= min(status.segments, dispatch.end)) {
    return;
  }
  let segment = segments[s];
  for (var group = 0u; group < SUBTILES; group += GROUP) {
    var places: array<vec2f, MOST_OF_GROUP>;
    var gradients: array<vec3f, MOST_OF_GROUP>;
    var states: array<vec2f, MOST_OF_GROUP>;
    var taken: array<u32, MOST_OF_GROUP>;
    for (var j = 0u; j < GROUP; j++) {
      let subtile = group + j;
      taken[j] = takenBy(subtile, s);
      if (taken[j] > 0u) {
        let p = subtile * SUBTILE_PIXELS + localIndex;
        let gradient = pixels[segment.tile * TILE_PIXELS + p];
        places[j] = vec2f(pixelOfTile(segment.tile, p));
        gradients[j] = gradient.rgb;
        states[j] = beginning(gradient, bitcast<vec4f>(segmentStates[s * SEGMENT_STRIDE + p]));
      }
    }
    var entry = entryOf(segment, 0u, localIndex);
    var vector = vectorOf(entry, subtilesOf(entry.subtiles, group, localIndex / BLOB_VECTORS, taken), localIndex);
    entry = entryOf(segment, BLOBS, localIndex);
    for (var first = 0u; first < segment.count; first += BLOBS) {
      workgroupBarrier();
      if (localIndex < BLOB_VECTORS * BLOBS) {
        sh_blobs[localIndex] = vector;
      }
      workgroupBarrier();
      // Fetched while these are at work: the next blobs, whose entries are at hand, and the entries behind those.
      let k = first + BLOBS + localIndex / BLOB_VECTORS;
      vector = vectorOf(entry, subtilesOf(entry.subtiles, group, k, taken), localIndex);
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
            let offset = places[j] - blob.center;
            let passed = passPixel(blob, offset, gradients[j], states[j]);
            addPixel(&sum, clampable, passed.dPower, offset, passed.weight * gradients[j]);
            states[j] = passed.state;
          }
        }
        keepParts(b, localIndex, sum);
      }
      workgroupBarrier();
      if (localIndex < ROWS * blobs) {
        let row = localIndex % ROWS;
        let pair = sh_blobs[BLOB_VECTORS * (localIndex / ROWS) + 2u].z;
        let at = SLOT_VECTORS * pair + row;
        var total = sumParts(localIndex);
        if (group > 0u) {
          total += bitcast<vec2f>(slots[at]);
        }
        slots[at] = vec2u(bitcast<u32>(total.x), select(bitcast<u32>(total.y), dispatch.step, row == ROWS - 1u));
      }
    }
  }
}
