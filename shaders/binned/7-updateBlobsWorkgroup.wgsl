// Stages 7 and 1 where threads share a blob, and what they add up in workgroup memory.
#import binned/7-updateBlobs.wgsl

const THREADS = 256u;
// More where blobs are few, since they are large then.
override THREADS_PER_BLOB: u32 = 16;
override BLOBS: u32 = THREADS / THREADS_PER_BLOB;
override VALUES: u32 = PARAMETER_COUNT * BLOBS;

// Of each value, what each two threads of each blob add up: a column a blob. Rows are longer than that, so that no column
// lies in one bank of workgroup memory.
override ROW: u32 = BLOBS + 1u;
override ROWS: u32 = THREADS_PER_BLOB / 2u;
override PART: u32 = ROWS * ROW;
// Named, since wgpu crashes where an override follows an array whose length is a formula of overrides.
override ALL_PARTS: u32 = PARAMETER_COUNT * PART;
var<workgroup> sh_parts: array<f32, ALL_PARTS>;
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
// First slot of each blob, and their number.
var<workgroup> sh_slots: array<vec2u, BLOBS>;
var<workgroup> sh_someLarge: u32;

// Tiles that a blob's own threads take. What a large blob has beyond that is shared out among all threads, since it may
// have thousands, and the others would long be done.
override OWN_TILES: u32 = 16u * THREADS_PER_BLOB;

// The b-th of the workgroup's blobs; blobCount if there is none. Workgroups that run at the same time count in different
// shards.
fn blobAt(w: u32, b: u32) -> u32 {
  let inShard = w / SHARDS * BLOBS + b;
  let i = w % SHARDS * blobsPerShard() + inShard;
  return select(job.blobCount, min(i, job.blobCount), inShard < blobsPerShard());
}

fn rawAt(b: u32) -> Blob {
  return Blob(
    vec2f(sh_raw[b], sh_raw[BLOBS + b]),
    vec2f(sh_raw[2u * BLOBS + b], sh_raw[3u * BLOBS + b]),
    sh_raw[4u * BLOBS + b],
    vec3f(sh_raw[5u * BLOBS + b], sh_raw[6u * BLOBS + b], sh_raw[7u * BLOBS + b]),
    sh_raw[8u * BLOBS + b],
  );
}

fn sumAt(b: u32) -> Slot {
  return Slot(
    vec4f(sh_values[b], sh_values[BLOBS + b], sh_values[2u * BLOBS + b], sh_values[3u * BLOBS + b]),
    vec4f(sh_values[4u * BLOBS + b], sh_values[5u * BLOBS + b], sh_values[6u * BLOBS + b],
      sh_values[7u * BLOBS + b]),
    sh_values[8u * BLOBS + b],
    0u,
  );
}

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let w = linearWorkgroup(workgroup);
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
    sh_someLarge = 0u;
  }
  if (SUM) {
    sumSlots(w, localIndex);
    if (hasValue && sh_halted == 0u) {
      keepGradient(at, sh_values[localIndex]);
      if (STEP) {
        state = adam(state, sh_values[localIndex], localIndex / BLOBS);
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
  let b = localIndex / THREADS_PER_BLOB;
  let member = localIndex % THREADS_PER_BLOB;
  var range = vec2u();
  if (blobAt(w, b) < job.blobCount) {
    range = pairsOf(pixelBlobs[blobAt(w, b)]);
  }
  var sum = Slot();
  for (var k = member; k < min(range.y, OWN_TILES); k += THREADS_PER_BLOB) {
    sum = addSlot(sum, range.x + k);
  }
  // Only now, since what came before waits for memory.
  workgroupBarrier();
  let parts = valuesOfSlot(sum);
  let first = member % ROWS * ROW + b;
  if (member >= ROWS) {
    for (var v = 0u; v < PARAMETER_COUNT; v++) {
      sh_parts[v * PART + first] = parts[v];
    }
  }
  if (member == 0u) {
    sh_slots[b] = range;
    if (range.y > OWN_TILES) {
      sh_someLarge = 1u;
    }
  }
  workgroupBarrier();
  if (member < ROWS) {
    for (var v = 0u; v < PARAMETER_COUNT; v++) {
      sh_parts[v * PART + first] += parts[v];
    }
  }
  if (workgroupUniformLoad(&sh_someLarge) != 0u) {
    for (var large = 0u; large < BLOBS; large++) {
      sumLarge(large, localIndex);
    }
  }
  workgroupBarrier();
  if (localIndex < VALUES) {
    var total = 0.0;
    for (var other = 0u; other < ROWS; other++) {
      total += sh_parts[localIndex / BLOBS * PART + other * ROW + localIndex % BLOBS];
    }
    sh_values[localIndex] = total;
  }
  workgroupBarrier();
  if (localIndex < BLOBS) {
    let d = rawGradient(rawAt(localIndex), sumAt(localIndex));
    let gradient = valuesOf(d);
    for (var v = 0u; v < PARAMETER_COUNT; v++) {
      sh_values[v * BLOBS + localIndex] = gradient[v];
    }
  }
  workgroupBarrier();
}

// The slots of a blob beyond those that its own threads add up. Call it in uniform control flow.
fn sumLarge(b: u32, localIndex: u32) {
  let range = workgroupUniformLoad(&sh_slots[b]);
  if (range.y <= OWN_TILES) {
    return;
  }
  var sum = Slot();
  for (var k = OWN_TILES + localIndex; k < range.y; k += THREADS) {
    sum = addSlot(sum, range.x + k);
  }
  // In turns, so that the order of the additions is always the same.
  for (var turn = 0u; turn < THREADS / ROWS; turn++) {
    if (localIndex / ROWS == turn) {
      let parts = valuesOfSlot(sum);
      for (var v = 0u; v < PARAMETER_COUNT; v++) {
        sh_parts[v * PART + localIndex % ROWS * ROW + b] += parts[v];
      }
    }
    workgroupBarrier();
  }
}

// From the parameters to the pairs.
fn project(w: u32, localIndex: u32) {
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_someLarge = 0u;
  }
  workgroupBarrier();
  if (localIndex < BLOBS) {
    var blob: PixelBlob;
    var range: TileRange;
    if (blobAt(w, localIndex) < job.blobCount && sh_halted == 0u) {
      blob = blobOnPixels(rawAt(localIndex));
      range = tilesAround(blob, dispatch.renderSize);
    }
    sh_blobs[localIndex] = blob;
    sh_ranges[localIndex] = range;
    // A place for each tile around the blob: those that it does not meet stay empty. In which order the workgroups come
    // does not matter: only the blob that owns the pairs adds them up.
    sh_first[localIndex] = atomicAdd(&sh_pairs, tilesOf(range));
    if (tilesOf(range) > OWN_TILES) {
      sh_someLarge = 1u;
    }
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    sh_firstPair = takePairs(atomicLoad(&sh_pairs));
  }
  let someLarge = workgroupUniformLoad(&sh_someLarge) != 0u;
  let b = localIndex / THREADS_PER_BLOB;
  let member = localIndex % THREADS_PER_BLOB;
  beginPairs(w, b, member, THREADS_PER_BLOB, OWN_TILES);
  let i = blobAt(w, b);
  if (member == 0u && i < job.blobCount && sh_halted == 0u) {
    keepBlob(i, sh_blobs[b], sh_firstPair + sh_first[b], sh_ranges[b]);
  }
  if (someLarge) {
    for (var large = 0u; large < BLOBS; large++) {
      beginPairs(w, large, OWN_TILES + localIndex, THREADS, 0xffffffffu);
    }
  }
}

// A thread's share of a blob's pairs, up to an end.
fn beginPairs(w: u32, b: u32, start: u32, stride: u32, end: u32) {
  let range = sh_ranges[b];
  let count = tilesOf(range);
  let first = sh_firstPair + sh_first[b];
  if (!hasRoom(first, count)) {
    return;
  }
  for (var k = start; k < min(count, end); k += stride) {
    beginPair(blobAt(w, b), sh_blobs[b], range, first, k);
  }
}
