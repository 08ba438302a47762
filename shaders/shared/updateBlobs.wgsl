// Last kernel of a step: Adam, one thread per parameter. CPU reference: updateBlobs in src/engine/model/adam.ts.
#import shared/adam.wgsl

@group(0) @binding(3) var<storage, read> gradients: array<f32>;

@compute @workgroup_size(256)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let slot = linearWorkgroup(workgroup) * 256u + localIndex;
  if (slot < PARAMETER_COUNT * job.blobCount && !isFrozen(slot % job.blobCount)) {
    storeAdam(slot, adam(loadAdam(slot), gradients[slot], slot / job.blobCount));
  }
}
