// Stage 6: what each pair of a tile and a blob adds to the blob's gradient; a workgroup a segment, a thread a pixel of
// each of its subtiles. The blobs pass by, and only subtiles that meet one take it. What a few blobs leave is then summed
// over the pixels, a thread a value. Who imports this says how the pixels' parts come together: keepParts, and in how many
// PARTS of a ROW, of so many BLOBS at a time. Twin: src/engine/model/binned/6-rasterizeBackward.ts.
#import binned/slots.wgsl
#import shared/parameters.wgsl

// The words of the lists and of the slots, since threads share those of one.
@group(0) @binding(14) var<storage, read> list: array<vec4u>;
@group(0) @binding(15) var<storage, read_write> slots: array<u32>;
@group(0) @binding(16) var<storage, read> status: FinalStatus;
@group(0) @binding(18) var<storage, read> segments: array<Segment>;
@group(0) @binding(19) var<storage, read> segmentStates: array<vec4u>;
@group(0) @binding(20) var<storage, read> pixels: array<vec4f>;

const THREADS = SUBTILE_PIXELS;
// Subtiles that a thread has a pixel of at a time, and most of them.
const MOST_OF_GROUP = 8u;
override GROUP: u32 = min(SUBTILES, MOST_OF_GROUP);
const ROWS = PARAMETER_COUNT * BLOBS;
const ENTRY_VECTORS = 3u;
const SLOT_WORDS = 12u;

var<workgroup> sh_entries: array<vec4u, ENTRY_VECTORS * BLOBS>;
var<workgroup> sh_parts: array<vec4f, ROW * ROWS>;

// A vector of the entries from `first` on.
fn vectorOf(segment: Segment, first: u32, localIndex: u32) -> vec4u {
  let last = ENTRY_VECTORS * segment.count - 1u;
  return list[ENTRY_VECTORS * segment.first + min(ENTRY_VECTORS * first + localIndex, last)];
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
  return segmentStates[s * SEGMENT_STRIDE + TILE_PIXELS + subtile / 4u][subtile % 4u];
}

// Keeps a part of a value to be summed: there are PARTS of each.
fn keepPart(row: u32, part: u32, value: f32) {
  sh_parts[row * ROW + part / 4u][part % 4u] = value;
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let s = linearWorkgroup(workgroup);
  if (status.halted != 0u || s >= min(status.segments, dispatch.endWorkgroup)) {
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
    var ahead = vectorOf(segment, 0u, localIndex);
    for (var first = 0u; first < segment.count; first += BLOBS) {
      workgroupBarrier();
      if (localIndex < ENTRY_VECTORS * BLOBS) {
        let meets = localIndex % ENTRY_VECTORS == ENTRY_VECTORS - 1u;
        let k = first + localIndex / ENTRY_VECTORS;
        sh_entries[localIndex] = vec4u(ahead.xyz, select(ahead.w, subtilesOf(ahead.w, group, k, taken), meets));
      }
      workgroupBarrier();
      // Fetched while these are at work.
      ahead = vectorOf(segment, first + BLOBS, localIndex);
      let blobs = min(BLOBS, segment.count - first);
      for (var b = 0u; b < blobs; b++) {
        let at = ENTRY_VECTORS * b;
        let entry = unpackEntry(PackedBlob(sh_entries[at], sh_entries[at + 1u], sh_entries[at + 2u]));
        let clampable = clampBlob(entry.index);
        var sum = Slot();
        for (var j = 0u; j < GROUP; j++) {
          if ((entry.subtiles & (1u << j)) != 0u) {
            let offset = places[j] - entry.blob.center;
            let passed = passPixel(entry.blob, offset, gradients[j], states[j]);
            addPixel(&sum, clampable, passed.dPower, offset, passed.weight * gradients[j]);
            states[j] = passed.state;
          }
        }
        keepParts(b, localIndex, sum);
      }
      workgroupBarrier();
      for (var row = localIndex; row < PARAMETER_COUNT * blobs; row += THREADS) {
        var sum = vec4f();
        for (var k = 0u; k < PARTS / 4u; k++) {
          sum += sh_parts[row * ROW + k];
        }
        let value = row % PARAMETER_COUNT;
        let pair = sh_entries[ENTRY_VECTORS * (row / PARAMETER_COUNT) + 2u].z;
        let at = SLOT_WORDS * pair + value;
        var total = (sum.x + sum.y) + (sum.z + sum.w);
        if (group > 0u) {
          total += bitcast<f32>(slots[at]);
        }
        slots[at] = bitcast<u32>(total);
        if (value == 0u) {
          slots[SLOT_WORDS * pair + PARAMETER_COUNT] = dispatch.step;
        }
      }
    }
  }
}
