// The step of a blob. Stage 7: adds up its slots, always in the same order, and takes Adam's step. Stage 1 of the next
// step: decodes the blob onto the pixels and finds the tiles that its support meets.
#import binned/slots.wgsl
#import binned/support.wgsl
#import shared/adam.wgsl

// Which parts there are: to take the gradients, to step, to begin lists.
override SUM: bool = true;
override STEP: bool = true;
override PROJECT: bool = true;

@group(0) @binding(3) var<storage, read_write> gradients: array<f32>;
// Each blob on the pixels, its first pair and the number of its pairs.
@group(0) @binding(10) var<storage, read_write> pixelBlobs: array<vec4u>;
@group(0) @binding(11) var<storage, read_write> pairs: array<Pair>;
// Pairs of each tile, copy by copy.
@group(0) @binding(12) var<storage, read_write> tileCounts: array<atomic<u32>>;
@group(0) @binding(15) var<storage, read> slots: array<Slot>;
@group(0) @binding(16) var<storage, read_write> status: Status;

// The sum of a member's share of a blob's slots.
fn sumOfSlots(i: u32, member: u32, members: u32) -> Slot {
  let pairsOfBlob = pixelBlobs[3u * i + 2u].yz;
  var sum = Slot();
  for (var k = member; k < pairsOfBlob.y; k += members) {
    let slot = slots[pairsOfBlob.x + k];
    if (slot.step == dispatch.step) {
      sum = Slot(sum.a + slot.a, sum.b + slot.b, sum.c + slot.c, slot.step);
    }
  }
  return sum;
}

// In the order of the buffers.
fn valuesOf(d: Blob) -> array<f32, PARAMETER_COUNT> {
  return array(d.center.x, d.center.y, d.variance.x, d.variance.y, d.correlation, d.color.r, d.color.g, d.color.b,
    d.opacity);
}

fn blobOnPixels(raw: Blob) -> PixelBlob {
  let decoded = decode(raw, job.covarianceScale);
  return pixelBlob(decoded, calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize)));
}

// A member's share of a blob's pairs, one for each tile of the range, from `first` on: those that it does not meet stay
// empty.
fn beginPairs(i: u32, blob: PixelBlob, range: TileRange, first: u32, member: u32, members: u32) {
  let count = tilesOf(range);
  if (first + count > status.capacity) {
    return;
  }
  let counters = copyOf(i) * tileCount(dispatch.renderSize);
  for (var k = member; k < count; k += members) {
    let tile = tileOf(range, k);
    var pair = Pair(NO_TILE, 0u, i);
    if (meetsTile(blob, tile)) {
      pair.tile = tile.y * tilesAcross(dispatch.renderSize) + tile.x;
      pair.position = atomicAdd(&tileCounts[counters + pair.tile], 1u);
    }
    pairs[first + k] = pair;
  }
  if (member == 0u) {
    let packed = packBlob(blob, vec3u(first, count, 0u));
    pixelBlobs[3u * i] = packed[0];
    pixelBlobs[3u * i + 1u] = packed[1];
    pixelBlobs[3u * i + 2u] = packed[2];
  }
  if (i == 0u && member == 0u) {
    atomicStore(&status.segments, 0u);
  }
}
