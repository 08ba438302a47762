// One Adam step of one slot. Twin: src/engine/cpu/adam.ts.
#import shared/config.wgsl

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;

@group(0) @binding(2) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(6) var<storage, read_write> firstMoments: array<f32>;
@group(0) @binding(7) var<storage, read_write> secondMoments: array<f32>;

fn adam(slot: u32, gradient: f32) {
  let m = BETA_1 * firstMoments[slot] + (1.0 - BETA_1) * gradient;
  let v = BETA_2 * secondMoments[slot] + (1.0 - BETA_2) * gradient * gradient;
  firstMoments[slot] = m;
  secondMoments[slot] = v;
  let step = job.learningRate / (sqrt(v / dispatch.corrections.y) + EPSILON);
  parameters[slot] -= step * (m / dispatch.corrections.x);
}
