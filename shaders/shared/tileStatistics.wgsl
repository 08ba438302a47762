// A tile's report for the latest step, read by tiles() in src/engine/gpu/pipeline.ts.

struct TileStatistics {
  // Summed over pixels and rgb.
  squaredError: f32,
  listLength: u32,
  passes: u32,
}

@group(0) @binding(4) var<storage, read_write> tileStatistics: array<TileStatistics>;
