// Stages 7 and 1 where threads share a blob, and what they add up in workgroup memory.
#import binned/updateBlobs.wgsl
#import binned/projectWorkgroup.wgsl

// Of each value, what each two threads of each blob add up: a column a blob. Rows are longer than that, so that no column
// lies in one bank of workgroup memory.
override ROW: u32 = BLOBS + 1u;
override ROWS: u32 = THREADS_PER_BLOB / 2u;
override PART: u32 = ROWS * ROW;
// Named, since wgpu crashes where an override follows an array whose length is a formula of overrides.
override ALL_PARTS: u32 = PARAMETER_COUNT * PART;
var<workgroup> sh_parts: array<f32, ALL_PARTS>;
// The sum of each value and blob over the blob's slots, then its gradient.
var<workgroup> sh_values: array<f32, VALUES>;
// First slot of each blob, and their number.
var<workgroup> sh_slots: array<vec2u, BLOBS>;

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
    beginCounts();
  }
  sumSlots(w, localIndex);
  if (hasValue && sh_halted == 0u) {
    keepGradient(at, sh_values[localIndex]);
    if (STEP && !isFrozen(valueBlob)) {
      state = adam(state, sh_values[localIndex], localIndex / BLOBS);
      storeAdam(at, state);
      sh_raw[localIndex] = state.parameter;
    }
  }
  if (STEP) {
    project(w, localIndex);
    if (w == 0u && localIndex == 0u && sh_halted == 0u) {
      status.steps++;
    }
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
