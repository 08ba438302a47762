// Stages 7 and 1 without barriers: one thread per blob. CPU references: updateBlobs in
// src/engine/model/binned/7-updateBlobs.ts, project in src/engine/model/binned/1-project.ts, updateBlobs in
// src/engine/model/adam.ts.
#import binned/updateBlobs.wgsl
#import binned/project.wgsl

const THREADS = 8u;

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let i = linearWorkgroup(workgroup) * THREADS + localIndex;
  if (i >= job.blobCount || atomicLoad(&status.overflowed) != 0u) {
    return;
  }
  let slotsOfBlob = intersectionsOf(pixelBlobs[i]);
  var sum = Slot();
  for (var k = 0u; k < slotsOfBlob.y; k++) {
    sum = addSlot(sum, slotsOfBlob.x + k);
  }
  let gradient = valuesOf(rawGradient(rawBlob(i), sum));
  for (var v = 0u; v < PARAMETER_COUNT; v++) {
    let at = v * job.blobCount + i;
    storeGradient(at, gradient[v]);
    if (STEP && !isFrozen(i)) {
      storeAdam(at, adam(loadAdam(at), gradient[v], v));
    }
  }
  if (STEP) {
    projectBlob(i, rawBlob(i));
    if (i == 0u) {
      status.steps++;
    }
  }
}
