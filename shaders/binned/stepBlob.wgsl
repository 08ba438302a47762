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

fn addSlot(sum: Slot, at: u32) -> Slot {
  let slot = slots[at];
  if (slot.step != dispatch.step) {
    return sum;
  }
  return Slot(sum.a + slot.a, sum.b + slot.b, sum.c + slot.c, slot.step);
}

// The first of a blob's slots, and their number.
fn slotsOf(i: u32) -> vec2u {
  return pixelBlobs[3u * i + 2u].yz;
}

// In the order of the buffers.
fn valuesOf(d: Blob) -> array<f32, PARAMETER_COUNT> {
  return array(d.center.x, d.center.y, d.variance.x, d.variance.y, d.correlation, d.color.r, d.color.g, d.color.b,
    d.opacity);
}

fn blobOnPixels(raw: Blob) -> PixelBlob {
  let decoded = decode(raw);
  return pixelBlob(decoded, calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize)));
}

// Takes numbers for so many pairs, and returns the first. Where they go beyond 32 bits, their number stays at the highest:
// whoever passes it puts it back there, and whoever comes in between is followed by that.
fn takePairs(count: u32) -> u32 {
  let first = atomicAdd(&status.pairs, count);
  if (first + count < first) {
    atomicMax(&status.pairs, 0xffffffffu);
  }
  return first;
}

fn hasRoom(first: u32, count: u32) -> bool {
  return count <= status.capacity && first <= status.capacity - count;
}

// Keeps a blob with its first pair and the number of its pairs, if there is room for them.
fn keepBlob(i: u32, blob: PixelBlob, first: u32, count: u32) {
  if (!hasRoom(first, count)) {
    return;
  }
  let packed = packBlob(blob, vec3u(first, count, 0u));
  pixelBlobs[3u * i] = packed[0];
  pixelBlobs[3u * i + 1u] = packed[1];
  pixelBlobs[3u * i + 2u] = packed[2];
  if (i == 0u) {
    atomicStore(&status.segments, 0u);
  }
}

// The pair of the range's tile k: empty where the blob does not meet it.
fn beginPair(i: u32, blob: PixelBlob, range: TileRange, first: u32, k: u32) {
  let tile = tileOf(range, k);
  var pair = Pair(NO_TILE, 0u, i);
  if (meetsTile(blob, tile)) {
    pair.tile = tile.y * tilesAcross(dispatch.renderSize) + tile.x;
    pair.position = atomicAdd(&tileCounts[copyOf(i) * tileCount(dispatch.renderSize) + pair.tile], 1u);
  }
  pairs[first + k] = pair;
}
