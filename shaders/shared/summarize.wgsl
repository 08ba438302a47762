// Loss, short-list lengths and gradient norms of the latest step, in a row of a few numbers for the host, which adds up
// the row's parts. Some workgroups sum over the tiles, as many square the gradients of each parameter.
// Twin: src/engine/statistics.ts.
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
// Workgroups that share a sum.
override PARTS: u32 = 1;

@group(0) @binding(3) var<storage, read> gradients: array<f32>;
@group(0) @binding(8) var<storage, read_write> summaries: array<Summary>;

var<workgroup> sh_sums: array<vec2f, WORKGROUP_SIZE>;
var<workgroup> sh_counts: array<vec3u, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  var sums = vec2f();
  var counts = vec3u();
  let part = workgroup.x % PARTS;
  let start = part * WORKGROUP_SIZE + localIndex;
  // The tiles, then the parameters.
  let what = workgroup.x / PARTS;
  if (what == 0u) {
    for (var tile = start; tile < arrayLength(&tileStatistics); tile += PARTS * WORKGROUP_SIZE) {
      let statistics = tileStatistics[tile];
      sums += vec2f(statistics.squaredError, f32(statistics.listLength));
      let overflows = select(0u, 1u, statistics.passes > 1u);
      counts = vec3u(max(counts.xy, vec2u(statistics.listLength, statistics.passes)), counts.z + overflows);
    }
  } else {
    let first = (what - 1u) * job.blobCount;
    for (var i = start; i < job.blobCount; i += PARTS * WORKGROUP_SIZE) {
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
  // What the dispatch takes a share of is the rows.
  let at = dispatch.first * PARTS + part;
  if (what == 0u) {
    summaries[at].squaredError = sh_sums[0].x;
    summaries[at].listLengths = sh_sums[0].y;
    summaries[at].longest = sh_counts[0].x;
    summaries[at].passes = sh_counts[0].y;
    summaries[at].overflowing = sh_counts[0].z;
  } else {
    summaries[at].gradientSquares[what - 1u] = sh_sums[0].x;
  }
}
