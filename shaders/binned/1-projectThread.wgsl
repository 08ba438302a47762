// Stage 1 without barriers: one thread per blob. CPU reference: project in src/engine/model/binned/1-project.ts.
#import binned/project.wgsl
#import shared/parameters.wgsl

const THREADS = 8u;

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let i = linearWorkgroup(workgroup) * THREADS + localIndex;
  if (i < job.blobCount && atomicLoad(&status.overflowed) == 0u) {
    projectBlob(i, rawBlob(i));
  }
}
