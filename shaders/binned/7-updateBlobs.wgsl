// Stages 7 and 1: sums the slots of each blob in workgroup memory, always in the same order, applies Adam, and projects
// the blob for the next step. CPU reference: updateBlobs in src/engine/model/adam.ts.
#import binned/project.wgsl
#import binned/slots.wgsl
#import shared/adam.wgsl

// Whether to apply Adam and project, or only to compute gradients.
override STEP: bool = true;

@group(0) @binding(3) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(15) var<storage, read> slots: array<Slot>;

// For each value, a table of partial sums: one column per blob, one row per two threads of a blob. Rows are padded so
// that no column lies in a single bank of workgroup memory.
override ROW_STRIDE: u32 = BLOBS + 1u;
override ROWS: u32 = THREADS_PER_BLOB / 2u;
override VALUE_STRIDE: u32 = ROWS * ROW_STRIDE;
// Named because wgpu crashes if an override follows an array with a formula of overrides as its length.
override PARTIAL_COUNT: u32 = PARAMETER_COUNT * VALUE_STRIDE;
var<workgroup> sh_partials: array<f32, PARTIAL_COUNT>;
// The sum of each value over its blob's slots, then the gradient of each raw parameter.
var<workgroup> sh_values: array<f32, VALUES>;
// First slot of each blob, and the number of its slots.
var<workgroup> sh_slots: array<vec2u, BLOBS>;

// Adds a slot if stage 6 wrote it in this step. The others belong to tiles around the blob that it does not overlap.
fn addSlot(sum: Slot, at: u32) -> Slot {
  let slot = slots[at];
  if (slot.step != dispatch.step) {
    return sum;
  }
  return Slot(sum.a + slot.a, sum.b + slot.b, sum.c + slot.c, slot.step);
}

// Stores a gradient; the bands of an image add up, from its top.
fn storeGradient(at: u32, gradient: f32) {
  if (dispatch.top > 0u) {
    gradients[at] += gradient;
  } else {
    gradients[at] = gradient;
  }
}

// In the order of the buffers.
fn valuesOf(d: Blob) -> array<f32, PARAMETER_COUNT> {
  return array(d.center.x, d.center.y, d.variance.x, d.variance.y, d.correlation, d.color.r, d.color.g, d.color.b,
    d.opacity);
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
  // One thread per value. Fetched first, to hide the latency.
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
  if (hasValue && sh_overflowed == 0u) {
    storeGradient(at, sh_values[localIndex]);
    if (STEP && !isFrozen(valueBlob)) {
      state = adam(state, sh_values[localIndex], localIndex / BLOBS);
      storeAdam(at, state);
      sh_raw[localIndex] = state.parameter;
    }
  }
  if (STEP) {
    project(w, localIndex);
    if (w == 0u && localIndex == 0u && sh_overflowed == 0u) {
      status.steps++;
    }
  }
}

// Computes the gradients of raw parameters from the slots.
fn sumSlots(w: u32, localIndex: u32) {
  let b = localIndex / THREADS_PER_BLOB;
  let member = localIndex % THREADS_PER_BLOB;
  var range = vec2u();
  if (blobAt(w, b) < job.blobCount) {
    range = intersectionsOf(pixelBlobs[blobAt(w, b)]);
  }
  var sum = Slot();
  for (var k = member; k < min(range.y, OWN_TILES); k += THREADS_PER_BLOB) {
    sum = addSlot(sum, range.x + k);
  }
  // Only now, to overlap it with the loads above.
  workgroupBarrier();
  let parts = valuesOfSlot(sum);
  // A row for threads `member` and `member + ROWS`: the upper half stores, the lower half adds.
  let place = member % ROWS * ROW_STRIDE + b;
  if (member >= ROWS) {
    for (var v = 0u; v < PARAMETER_COUNT; v++) {
      sh_partials[v * VALUE_STRIDE + place] = parts[v];
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
      sh_partials[v * VALUE_STRIDE + place] += parts[v];
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
      total += sh_partials[localIndex / BLOBS * VALUE_STRIDE + other * ROW_STRIDE + localIndex % BLOBS];
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

// Adds the slots of a large blob beyond OWN_TILES, by all threads. Call it in uniform control flow.
fn sumLarge(b: u32, localIndex: u32) {
  let range = workgroupUniformLoad(&sh_slots[b]);
  if (range.y <= OWN_TILES) {
    return;
  }
  var sum = Slot();
  for (var k = OWN_TILES + localIndex; k < range.y; k += THREADS) {
    sum = addSlot(sum, range.x + k);
  }
  // One group of threads after the other, so that the order of the additions is always the same.
  for (var turn = 0u; turn < THREADS / ROWS; turn++) {
    if (localIndex / ROWS == turn) {
      let parts = valuesOfSlot(sum);
      for (var v = 0u; v < PARAMETER_COUNT; v++) {
        sh_partials[v * VALUE_STRIDE + localIndex % ROWS * ROW_STRIDE + b] += parts[v];
      }
    }
    workgroupBarrier();
  }
}
