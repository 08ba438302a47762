// Shades each pixel of the chart by the dots that cover it: their mean colour, and the opacity of as many layers. Dots
// have a grey edge, so that they are visible on any background. CPU reference: shadeDots in src/engine/model/dots.ts.
#import chart/dots.wgsl
#import shared/config.wgsl

@group(0) @binding(4) var<storage, read> dotSums: array<vec4u>;
// Red, green, blue and alpha, eight bits each.
@group(0) @binding(5) var<storage, read_write> dotPixels: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let at = linearWorkgroup(workgroup) * WORKGROUP_SIZE + localIndex;
  let size = vec2i(chart.size);
  if (at >= chart.size.x * chart.size.y) {
    return;
  }
  let pixel = vec2i(vec2u(at % chart.size.x, at / chart.size.x));
  let reach = i32(chart.radius);
  var count = 0u;
  // Twice the levels.
  var sum = vec3u();
  for (var y = max(pixel.y - reach, 0); y <= min(pixel.y + reach, size.y - 1); y++) {
    for (var x = max(pixel.x - reach, 0); x <= min(pixel.x + reach, size.x - 1); x++) {
      let distance = length(vec2f(vec2i(x, y) - pixel));
      let dots = dotSums[y * size.x + x];
      if (dots.x == 0u || distance > chart.radius) {
        continue;
      }
      count += dots.x;
      sum += select(2u * dots.yzw, dots.yzw + 128u * dots.x, distance > chart.radius - 1.0);
    }
  }
  let alpha = 1.0 - pow(1.0 - chart.alpha, f32(count));
  let color = vec3f(sum) / f32(2u * max(count, 1u)) / 255.0;
  dotPixels[at] = select(0u, pack4x8unorm(vec4f(color, alpha)), count > 0u);
}
