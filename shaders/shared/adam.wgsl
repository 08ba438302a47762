// One Adam step of one slot. Twin: src/engine/cpu/adam.ts.
#import shared/config.wgsl

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;

@group(0) @binding(2) var<storage, read_write> parameters: array<f32>;
// The first moments of all slots, then the second ones.
@group(0) @binding(6) var<storage, read_write> moments: array<f32>;

fn adam(slot: u32, gradient: f32) {
  let second = PARAMETER_COUNT * job.blobCount + slot;
  let m = BETA_1 * moments[slot] + (1.0 - BETA_1) * gradient;
  let v = BETA_2 * moments[second] + (1.0 - BETA_2) * gradient * gradient;
  moments[slot] = m;
  moments[second] = v;
  let step = job.learningRate / (sqrt(v / dispatch.corrections.y) + EPSILON);
  parameters[slot] -= step * (m / dispatch.corrections.x);
}
