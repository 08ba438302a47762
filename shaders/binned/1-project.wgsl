// Stage 1, for the first step: projects the blobs. CPU reference: pixelBlob in src/engine/model/support.ts.
#import binned/project.wgsl
#import shared/parameters.wgsl

@compute @workgroup_size(THREADS)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let w = linearWorkgroup(workgroup);
  let blob = blobAt(w, localIndex % BLOBS);
  if (localIndex < VALUES && blob < job.blobCount) {
    sh_raw[localIndex] = parameters[localIndex / BLOBS * job.blobCount + blob];
  }
  if (localIndex == 0u) {
    beginCounts();
  }
  project(w, localIndex);
}
