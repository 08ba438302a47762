// What every kernel of a run is told. Twins: jobUniform and dispatchUniform in src/engine/gpu/pipeline.ts.

struct Job {
  blobCount: u32,
  covarianceScale: f32,
  learningRate: f32,
  // 1: C + T, over white; 0: C (1 - T) + T, as the seeds print it.
  compositeWhite: u32,
  // The target, in pixels.
  textureSize: vec2u,
}

// What one dispatch is told: the render's size, its share of the workgroups, Adam's bias corrections, and the training
// step, counted from 1.
struct Dispatch {
  renderSize: vec2u,
  firstWorkgroup: u32,
  endWorkgroup: u32,
  corrections: vec2f,
  step: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<uniform> dispatch: Dispatch;

const PARAMETER_COUNT = 9u;

// The number of a workgroup in a dispatch that is one-dimensional, though WebGPU caps each dimension at 65,535.
fn linearWorkgroup(workgroup: vec3u, workgroups: vec3u) -> u32 {
  return dispatch.firstWorkgroup + workgroup.y * workgroups.x + workgroup.x;
}
