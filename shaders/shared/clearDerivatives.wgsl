// First kernel of a step: sets every gradient to zero. CPU reference: differentiate in src/engine/model/rasterize.ts.
#import shared/config.wgsl

@group(0) @binding(3) var<storage, read_write> gradients: array<f32>;

@compute @workgroup_size(256)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let slot = linearWorkgroup(workgroup) * 256u + localIndex;
  if (slot < PARAMETER_COUNT * job.blobCount) {
    gradients[slot] = 0.0; //@ clear.store
  }
}
