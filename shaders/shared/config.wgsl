// The uniforms of all kernels, encoded by dispatchUniform and jobUniform in src/engine/gpu/uniforms.ts.

struct Job {
  blobCount: u32,
  covarianceScale: f32,
  // Size of the target in pixels.
  textureSize: vec2u,
  // Learning rate of each raw parameter, before the schedule.
  rates: array<vec4f, 3>,
}

// Per dispatch: the render's size, the range of tiles or segments, Adam's bias corrections, the training step (from 1),
// and the factor of the learning-rate schedule at it.
struct Dispatch {
  renderSize: vec2u,
  // first <= i < end.
  first: u32,
  end: u32,
  corrections: vec2f,
  step: u32,
  schedule: f32,
  // If the render is a band of an image: its first row of pixels in the image, and the image's height.
  top: u32,
  imageHeight: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<uniform> dispatch: Dispatch;

const PARAMETER_COUNT = 9u;

struct Workgroup {
  @builtin(workgroup_id) id: vec3u,
  @builtin(num_workgroups) count: vec3u,
}

// Returns the index of a workgroup in a one-dimensional dispatch, which spans two dimensions because WebGPU limits each
// to 65,535. Kernels for a range of tiles or segments add dispatch.first.
fn linearWorkgroup(workgroup: Workgroup) -> u32 {
  return workgroup.id.y * workgroup.count.x + workgroup.id.x;
}
