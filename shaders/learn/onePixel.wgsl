// Forward and backward pass of one pixel, from its blobs to the loss and back to their raw parameters, with the
// functions of the simple pipeline.
#import simple/simpleSplatBlobs.wgsl
#import shared/loss.wgsl

// The pixel in UV, and its target colour.
@group(0) @binding(10) var<storage, read> given: array<f32>;

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let uv = vec2f(given[0], given[1]);
  let state = simpleSplatBlobs(uv, localIndex);
  let loss = lossBackward(state.value, vec3f(given[2], given[3], given[4]));
  simpleSplatBlobsBackward(uv, localIndex, state, loss.pixel);
}
