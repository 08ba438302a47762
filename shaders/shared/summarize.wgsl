// Summarizes loss, tile list lengths and gradient norms of the latest step in a row of partial sums, which the host
// adds. The first PARTIAL_SUMS workgroups sum over the tiles, as many over the squared gradients of each parameter. CPU
// reference: tileListStatistics in src/engine/statistics.ts.
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
// Workgroups per sum.
override PARTIAL_SUMS: u32 = 1;

@group(0) @binding(3) var<storage, read> gradients: array<f32>;
@group(0) @binding(8) var<storage, read_write> summaries: array<Summary>;

var<workgroup> sh_sums: array<vec2f, WORKGROUP_SIZE>;
var<workgroup> sh_counts: array<vec3u, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  var sums = vec2f();
  var counts = vec3u();
  let partial = workgroup.x % PARTIAL_SUMS;
  let start = partial * WORKGROUP_SIZE + localIndex;
  // 0 for the tiles, then 1 + the parameter.
  let sum = workgroup.x / PARTIAL_SUMS;
  if (sum == 0u) {
    for (var tile = start; tile < arrayLength(&tileStatistics); tile += PARTIAL_SUMS * WORKGROUP_SIZE) {
      let statistics = tileStatistics[tile];
      sums += vec2f(statistics.squaredError, f32(statistics.listLength));
      let overflows = select(0u, 1u, statistics.passes > 1u);
      counts = vec3u(max(counts.xy, vec2u(statistics.listLength, statistics.passes)), counts.z + overflows);
    }
  } else {
    let first = (sum - 1u) * job.blobCount;
    for (var i = start; i < job.blobCount; i += PARTIAL_SUMS * WORKGROUP_SIZE) {
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
  // The dispatch's range is the row.
  let at = dispatch.first * PARTIAL_SUMS + partial;
  if (sum == 0u) {
    summaries[at].squaredError = sh_sums[0].x;
    summaries[at].listLengths = sh_sums[0].y;
    summaries[at].longest = sh_counts[0].x;
    summaries[at].passes = sh_counts[0].y;
    summaries[at].overflowing = sh_counts[0].z;
  } else {
    summaries[at].gradientSquares[sum - 1u] = sh_sums[0].x;
  }
}
