// Sums the gradients of one raw parameter at the pixels of some tiles; one workgroup per tile. Each row of the dispatch
// sums the same tiles again, to a separate word.
#import shared/accumulate.wgsl

// Tile by tile, one per pixel.
@group(0) @binding(10) var<storage, read> pixelGradients: array<f32>;

// Recorded by the figures' probes.
var<private> tile: u32;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  tile = workgroup.x;
  accumulateParameter(pixelGradients[tile * WORKGROUP_SIZE + localIndex], 0u, workgroup.y, localIndex);
}
