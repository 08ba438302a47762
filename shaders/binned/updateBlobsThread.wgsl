// The step of the blobs without barriers; a thread a blob.
#import binned/stepBlob.wgsl
#import shared/loadBlob.wgsl

const THREADS = 8u;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let i = linearWorkgroup(workgroup, workgroups) * THREADS + localIndex;
  if (i >= job.blobCount || atomicLoad(&status.halted) != 0u) {
    return;
  }
  if (SUM) {
    let gradient = valuesOf(rawGradient(rawBlob(i), sumOfSlots(i, 0u, 1u)));
    for (var v = 0u; v < PARAMETER_COUNT; v++) {
      let at = v * job.blobCount + i;
      gradients[at] = gradient[v];
      if (STEP) {
        storeAdam(at, adam(loadAdam(at), gradient[v]));
      }
    }
  }
  if (PROJECT) {
    let blob = blobOnPixels(rawBlob(i));
    let range = tilesAround(blob, dispatch.renderSize);
    beginPairs(i, blob, range, atomicAdd(&status.pairs, tilesOf(range)), 0u, 1u);
  }
  if (STEP && i == 0u) {
    status.steps++;
  }
}
