// The step of the blobs; some threads a blob. Stage 7: adds up each blob's slots, always in the same order, and takes
// Adam's step. Stage 1 of the next step: decodes the blob onto the pixels and finds the tiles that its support meets.
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

const THREADS = 256u;
// More where blobs are few, since they are large then.
override THREADS_PER_BLOB: u32 = 16;
override BLOBS: u32 = THREADS / THREADS_PER_BLOB;
override VALUES: u32 = PARAMETER_COUNT * BLOBS;

// Of each value, what each thread of each blob adds up: a column a blob. Rows are longer than that, so that no column lies
// in one bank of workgroup memory.
override ROW: u32 = BLOBS + 1u;
override PART: u32 = THREADS_PER_BLOB * ROW;
var<workgroup> sh_parts: array<f32, PARAMETER_COUNT * PART>;
// Of each value and blob: its raw parameter.
var<workgroup> sh_raw: array<f32, VALUES>;
// Its slots' sum, then its gradient.
var<workgroup> sh_values: array<f32, VALUES>;
var<workgroup> sh_blobs: array<PixelBlob, BLOBS>;
var<workgroup> sh_ranges: array<TileRange, BLOBS>;
// Pairs of the workgroup and the first of them; the first of each blob, counted from there.
var<workgroup> sh_pairs: atomic<u32>;
var<workgroup> sh_firstPair: u32;
var<workgroup> sh_halted: u32;
var<workgroup> sh_first: array<u32, BLOBS>;

// The workgroup's blob of a slot; blobCount if there is none. Workgroups that run at the same time count in different
// copies.
fn blobAt(w: u32, slot: u32) -> u32 {
  let inCopy = w / COPIES * BLOBS + slot;
  let i = w % COPIES * blobsPerCopy() + inCopy;
  return select(job.blobCount, min(i, job.blobCount), inCopy < blobsPerCopy());
}

fn rawAt(slot: u32) -> Blob {
  return Blob(
    vec2f(sh_raw[slot], sh_raw[BLOBS + slot]),
    vec2f(sh_raw[2u * BLOBS + slot], sh_raw[3u * BLOBS + slot]),
    sh_raw[4u * BLOBS + slot],
    vec3f(sh_raw[5u * BLOBS + slot], sh_raw[6u * BLOBS + slot], sh_raw[7u * BLOBS + slot]),
    sh_raw[8u * BLOBS + slot],
  );
}

fn sumAt(slot: u32) -> Slot {
  return Slot(
    vec4f(sh_values[slot], sh_values[BLOBS + slot], sh_values[2u * BLOBS + slot], sh_values[3u * BLOBS + slot]),
    vec4f(sh_values[4u * BLOBS + slot], sh_values[5u * BLOBS + slot], sh_values[6u * BLOBS + slot],
      sh_values[7u * BLOBS + slot]),
    sh_values[8u * BLOBS + slot],
    0u,
  );
}

// The sum of the member's share of a blob's slots.
fn sumOfSlots(i: u32, member: u32) -> Slot {
  let pairsOfBlob = pixelBlobs[3u * i + 2u].yz;
  var sum = Slot();
  for (var k = member; k < pairsOfBlob.y; k += THREADS_PER_BLOB) {
    let slot = slots[pairsOfBlob.x + k];
    if (slot.step == dispatch.step) {
      sum = Slot(sum.a + slot.a, sum.b + slot.b, sum.c + slot.c, slot.step);
    }
  }
  return sum;
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let w = linearWorkgroup(workgroup, workgroups);
  // A thread a value, for what is done value by value: fetched at once, since everything below waits for memory.
  let valueBlob = blobAt(w, localIndex % BLOBS);
  let hasValue = localIndex < VALUES && valueBlob < job.blobCount;
  let at = localIndex / BLOBS * job.blobCount + valueBlob;
  var state = AdamState();
  if (hasValue) {
    state = loadAdam(at);
    sh_raw[localIndex] = state.parameter;
  }
  if (localIndex == 0u) {
    atomicStore(&sh_pairs, 0u);
    sh_halted = atomicLoad(&status.halted);
  }
  if (SUM) {
    sumSlots(w, localIndex);
    if (hasValue && sh_halted == 0u) {
      gradients[at] = sh_values[localIndex];
      if (STEP) {
        state = adam(state, sh_values[localIndex]);
        storeAdam(at, state);
        sh_raw[localIndex] = state.parameter;
      }
    }
  }
  if (PROJECT) {
    project(w, localIndex);
  }
  if (STEP && w == 0u && localIndex == 0u && sh_halted == 0u) {
    status.steps++;
  }
}

// From the slots to the gradients of raw parameters.
fn sumSlots(w: u32, localIndex: u32) {
  let slot = localIndex / THREADS_PER_BLOB;
  let member = localIndex % THREADS_PER_BLOB;
  var sum = Slot();
  if (blobAt(w, slot) < job.blobCount) {
    sum = sumOfSlots(blobAt(w, slot), member);
  }
  let parts = array(sum.a.x, sum.a.y, sum.a.z, sum.a.w, sum.b.x, sum.b.y, sum.b.z, sum.b.w, sum.c);
  for (var v = 0u; v < PARAMETER_COUNT; v++) {
    sh_parts[v * PART + member * ROW + slot] = parts[v];
  }
  workgroupBarrier();
  if (localIndex < VALUES) {
    var total = 0.0;
    for (var other = 0u; other < THREADS_PER_BLOB; other++) {
      total += sh_parts[localIndex / BLOBS * PART + other * ROW + localIndex % BLOBS];
    }
    sh_values[localIndex] = total;
  }
  workgroupBarrier();
  if (localIndex < BLOBS) {
    let d = rawGradient(rawAt(localIndex), sumAt(localIndex));
    let gradient = array(d.center.x, d.center.y, d.variance.x, d.variance.y, d.correlation, d.color.r, d.color.g,
      d.color.b, d.opacity);
    for (var v = 0u; v < PARAMETER_COUNT; v++) {
      sh_values[v * BLOBS + localIndex] = gradient[v];
    }
  }
  workgroupBarrier();
}

// From the parameters to the pairs.
fn project(w: u32, localIndex: u32) {
  workgroupBarrier();
  if (localIndex < BLOBS) {
    var blob: PixelBlob;
    var range: TileRange;
    if (blobAt(w, localIndex) < job.blobCount && sh_halted == 0u) {
      let decoded = decode(rawAt(localIndex), job.covarianceScale);
      blob = pixelBlob(decoded, calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize)));
      range = tilesAround(blob, dispatch.renderSize);
    }
    sh_blobs[localIndex] = blob;
    sh_ranges[localIndex] = range;
    // A place for each tile around the blob: those that it does not meet stay empty. In which order the workgroups come
    // does not matter: only the blob that owns the pairs adds them up.
    sh_first[localIndex] = atomicAdd(&sh_pairs, tilesOf(range));
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_firstPair = atomicAdd(&status.pairs, atomicLoad(&sh_pairs));
  }
  workgroupBarrier();
  let slot = localIndex / THREADS_PER_BLOB;
  let member = localIndex % THREADS_PER_BLOB;
  let i = blobAt(w, slot);
  let range = sh_ranges[slot];
  let count = tilesOf(range);
  let first = sh_firstPair + sh_first[slot];
  if (sh_halted != 0u || i >= job.blobCount || first + count > status.capacity) {
    return;
  }
  let counters = w % COPIES * tileCount(dispatch.renderSize);
  for (var k = member; k < count; k += THREADS_PER_BLOB) {
    let tile = tileOf(range, k);
    var pair = Pair(NO_TILE, 0u, i);
    if (meetsTile(sh_blobs[slot], tile)) {
      pair.tile = tile.y * tilesAcross(dispatch.renderSize) + tile.x;
      pair.position = atomicAdd(&tileCounts[counters + pair.tile], 1u);
    }
    pairs[first + k] = pair;
  }
  if (member == 0u) {
    let packed = packBlob(sh_blobs[slot], vec3u(first, count, 0u));
    pixelBlobs[3u * i] = packed[0];
    pixelBlobs[3u * i + 1u] = packed[1];
    pixelBlobs[3u * i + 2u] = packed[2];
  }
  if (i == 0u && member == 0u) {
    atomicStore(&status.segments, 0u);
  }
}
