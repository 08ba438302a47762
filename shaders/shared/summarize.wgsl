// Loss, short-list lengths and gradient norms of the latest step, in a few numbers for the host.
// Workgroup 0 sums over the tiles, workgroup 1 + f squares parameter f's gradients. Twin: src/engine/statistics.ts.
#import shared/config.wgsl
#import shared/tileStatistics.wgsl

struct Summary {
  squaredError: f32,
  listLengths: f32,
  longest: u32,
  passes: u32,
  overflowing: u32,
  gradientSquares: array<f32, PARAMETER_COUNT>,
}

const WORKGROUP_SIZE = 256u;

@group(0) @binding(3) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(8) var<storage, read_write> summary: Summary;

var<workgroup> sh_sums: array<vec2f, WORKGROUP_SIZE>;
var<workgroup> sh_counts: array<vec3u, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  var sums = vec2f();
  var counts = vec3u();
  if (workgroup.x == 0u) {
    for (var tile = localIndex; tile < dispatch.endWorkgroup; tile += WORKGROUP_SIZE) {
      let statistics = tileStatistics[tile];
      sums += vec2f(statistics.squaredError, f32(statistics.listLength));
      let overflows = select(0u, 1u, statistics.passes > 1u);
      counts = vec3u(max(counts.xy, vec2u(statistics.listLength, statistics.passes)), counts.z + overflows);
    }
  } else {
    let first = (workgroup.x - 1u) * job.blobCount;
    for (var i = localIndex; i < job.blobCount; i += WORKGROUP_SIZE) {
      sums.x += gradients[first + i] * gradients[first + i];
    }
  }
  sh_sums[localIndex] = sums;
  sh_counts[localIndex] = counts;
  for (var stride = WORKGROUP_SIZE / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (localIndex < stride) {
      let other = sh_counts[localIndex + stride];
      sh_sums[localIndex] += sh_sums[localIndex + stride];
      sh_counts[localIndex] = vec3u(max(sh_counts[localIndex].xy, other.xy), sh_counts[localIndex].z + other.z);
    }
  }
  if (localIndex != 0u) {
    return;
  }
  if (workgroup.x == 0u) {
    summary.squaredError = sh_sums[0].x;
    summary.listLengths = sh_sums[0].y;
    summary.longest = sh_counts[0].x;
    summary.passes = sh_counts[0].y;
    summary.overflowing = sh_counts[0].z;
  } else {
    summary.gradientSquares[workgroup.x - 1u] = sh_sums[0].x;
  }
}
