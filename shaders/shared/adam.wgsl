// One Adam step of one slot. CPU reference: updateBlobs in src/engine/model/adam.ts.
#import shared/config.wgsl

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;

@group(0) @binding(2) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(6) var<storage, read_write> firstMoments: array<f32>;
@group(0) @binding(7) var<storage, read_write> secondMoments: array<f32>;

// A raw parameter and its moments.
struct AdamState {
  parameter: f32,
  first: f32,
  second: f32,
}

fn loadAdam(slot: u32) -> AdamState {
  return AdamState(parameters[slot], firstMoments[slot], secondMoments[slot]);
}

fn storeAdam(slot: u32, state: AdamState) {
  parameters[slot] = state.parameter;
  firstMoments[slot] = state.first;
  secondMoments[slot] = state.second;
}

// Whether some blobs are frozen. A mask then follows the raw parameters, nonzero for each frozen blob.
override FREEZES: bool = false;

fn isFrozen(blob: u32) -> bool {
  if (FREEZES) {
    return parameters[PARAMETER_COUNT * job.blobCount + blob] != 0.0;
  }
  return false;
}

fn adam(state: AdamState, gradient: f32, field: u32) -> AdamState { //@ adam.gradient
  let first = BETA_1 * state.first + (1.0 - BETA_1) * gradient; //@ adam.first
  let second = BETA_2 * state.second + (1.0 - BETA_2) * gradient * gradient; //@ adam.second
  let rate = job.rates[field / 4u][field % 4u] * dispatch.schedule; //@ adam.rate
  let step = rate / (sqrt(second / dispatch.corrections.y) + EPSILON); //@ adam.step
  return AdamState(state.parameter - step * (first / dispatch.corrections.x), first, second); //@ adam.parameter
}
