// A chart with a dot per blob, encoded by dotUniform in src/engine/gpu/dots.ts.

struct DotChart {
  // In pixels.
  size: vec2u,
  // Columns along x and y, by their index in decodedNames of src/engine/model/blobs.ts.
  columns: vec2u,
  // 1 for a log scale.
  logScales: vec2u,
  // The ends of the scales, as logarithms on a log scale.
  start: vec2f,
  end: vec2f,
  // Of a dot, in pixels.
  radius: f32,
  // Opacity of one dot.
  alpha: f32,
}

@group(0) @binding(3) var<uniform> chart: DotChart;

const WORKGROUP_SIZE = 256u;
