// The gradients of one raw parameter at the pixels of some tiles, a workgroup a tile, on their way into memory. Each row
// of the dispatch sums the same tiles again, into a word of its own.
#import shared/accumulate.wgsl

// Tile by tile, a thread a pixel.
@group(0) @binding(10) var<storage, read> pixelGradients: array<f32>;

// Told by the probes of figures.
var<private> tile: u32;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  tile = workgroup.x;
  accumulateParameter(pixelGradients[tile * WORKGROUP_SIZE + localIndex], 0u, workgroup.y, localIndex);
}
