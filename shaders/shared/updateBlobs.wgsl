// Last kernel of a step: Adam, a thread a slot. Twin: src/engine/cpu/adam.ts.
#import shared/config.wgsl

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;

@group(0) @binding(2) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(3) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(6) var<storage, read_write> firstMoments: array<f32>;
@group(0) @binding(7) var<storage, read_write> secondMoments: array<f32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32,
) {
  let slot = linearWorkgroup(workgroup, workgroups) * 256u + localIndex;
  if (slot >= PARAMETER_COUNT * job.blobCount) {
    return;
  }
  let gradient = gradients[slot];
  let m = BETA_1 * firstMoments[slot] + (1.0 - BETA_1) * gradient;
  let v = BETA_2 * secondMoments[slot] + (1.0 - BETA_2) * gradient * gradient;
  firstMoments[slot] = m;
  secondMoments[slot] = v;
  let step = job.learningRate / (sqrt(v / dispatch.corrections.y) + EPSILON);
  parameters[slot] -= step * (m / dispatch.corrections.x);
}
