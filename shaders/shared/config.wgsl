// What every kernel of a run is told. Twins: jobUniform and dispatchUniform in src/engine/gpu/uniforms.ts.

struct Job {
  blobCount: u32,
  covarianceScale: f32,
  // The target, in pixels.
  textureSize: vec2u,
  // Adam's step size of each raw parameter, before the schedule.
  rates: array<vec4f, 3>,
}

// What one dispatch is told: the render's size, which tiles or segments it takes, Adam's bias corrections, the training
// step, counted from 1, and what the schedule leaves of the learning rates at it.
struct Dispatch {
  renderSize: vec2u,
  // first <= i < end.
  first: u32,
  end: u32,
  corrections: vec2f,
  step: u32,
  schedule: f32,
  // Where the render is a band of a higher picture: its first row of pixels there, and that picture's height.
  top: u32,
  pictureHeight: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<uniform> dispatch: Dispatch;

const PARAMETER_COUNT = 9u;

// Which workgroup of a dispatch a thread is in.
struct Workgroup {
  @builtin(workgroup_id) id: vec3u,
  @builtin(num_workgroups) count: vec3u,
}

// Its index, where a dispatch is one-dimensional, though WebGPU caps each dimension at 65,535. Kernels that take a range
// of tiles or segments add dispatch.first.
fn linearWorkgroup(workgroup: Workgroup) -> u32 {
  return workgroup.id.y * workgroup.count.x + workgroup.id.x;
}
