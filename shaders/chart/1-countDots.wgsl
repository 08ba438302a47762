// Adds each blob to the pixel of the chart in which the centre of its dot is: the number of dots, and the sums of their
// colours in levels of 255. CPU reference: countDots in src/engine/model/dots.ts.
#import chart/dots.wgsl
#import shared/parameters.wgsl

// Values at the ends of a scale are on it, rounded or not.
const ROUNDING = 1e-5;

@group(0) @binding(4) var<storage, read_write> dotSums: array<atomic<u32>>;

// Returns a decoded value of a blob, or its standard deviation along an axis in pixels.
fn columnOf(blob: Blob, column: u32) -> f32 {
  switch (column) {
    case 0u: { return blob.center.x; }
    case 1u: { return blob.center.y; }
    case 2u: { return blob.variance.x; }
    case 3u: { return blob.variance.y; }
    case 4u: { return blob.correlation; }
    case 5u: { return blob.color.r; }
    case 6u: { return blob.color.g; }
    case 7u: { return blob.color.b; }
    case 8u: { return blob.opacity; }
    case 9u: { return sqrt(blob.variance.x) * f32(job.textureSize.x); }
    default: { return sqrt(blob.variance.y) * f32(job.textureSize.y); }
  }
}

// Returns the position of a value between the ends of its scale: 0 at the start, 1 at the end, negative if it has no
// logarithm.
fn scaled(value: f32, axis: u32) -> f32 {
  var position = value;
  if (chart.logScales[axis] == 1u) {
    if (value <= 0.0) {
      return -1.0;
    }
    position = log(value);
  }
  return (position - chart.start[axis]) / (chart.end[axis] - chart.start[axis]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let i = linearWorkgroup(workgroup) * WORKGROUP_SIZE + localIndex;
  if (i >= job.blobCount) {
    return;
  }
  let blob = loadBlob(i);
  let position = vec2f(scaled(columnOf(blob, chart.columns.x), 0u), scaled(columnOf(blob, chart.columns.y), 1u));
  if (!(all(position >= vec2f(-ROUNDING)) && all(position <= vec2f(1.0 + ROUNDING)))) {
    return;
  }
  // Rows count from the top.
  let size = vec2f(chart.size);
  let pixel = vec2u(clamp(vec2f(position.x, 1.0 - position.y) * size, vec2f(), size - 1.0));
  let at = 4u * (pixel.y * chart.size.x + pixel.x);
  let levels = vec3u(round(255.0 * saturate(blob.color)));
  atomicAdd(&dotSums[at], 1u);
  atomicAdd(&dotSums[at + 1u], levels.r);
  atomicAdd(&dotSums[at + 2u], levels.g);
  atomicAdd(&dotSums[at + 3u], levels.b);
}
