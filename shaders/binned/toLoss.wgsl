// What forward to the loss leaves: the state with which each segment of a list begins, so that the way back can take
// all segments side by side, and the gradient of each pixel.
#import binned/segments.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

@group(0) @binding(16) var<storage, read_write> status: Status;
@group(0) @binding(19) var<storage, read_write> segmentStates: array<vec4u>;
// Of each pixel of each tile: dL/dC, and dL/dC . C + dL/dT T at the end.
@group(0) @binding(20) var<storage, read_write> pixelGradients: array<vec4f>;
@group(0) @binding(23) var<storage, read> tileOrder: array<u32>;

// For the lists of the next step. Where they are halted, blending those of the last step again does no harm.
fn emptyLists() {
  if (atomicLoad(&status.halted) == 0u) {
    atomicStore(&status.pairs, 0u);
    atomicStore(&status.entries, 0u);
    atomicStore(&status.longTiles, 0u);
    atomicStore(&status.shortTiles, 0u);
  }
}

fn keepState(segment: u32, p: u32, state: vec4f) {
  segmentStates[segment * SEGMENT_STRIDE + p] = bitcast<vec4u>(state);
}

// Takes pixel p of a tile from its last state to its gradient; returns its squared error.
fn finishPixel(tile: u32, p: u32, pixel: vec2u, state: vec4f) -> f32 {
  var gradient = vec4f();
  var squaredError = 0.0;
  if (isInside(tile, pixel)) {
    let loss = lossBackward(state, targetColor(pixel));
    squaredError = loss.squaredError;
    gradient = vec4f(loss.pixel.rgb, dot(loss.pixel, state));
  }
  pixelGradients[tile * TILE_PIXELS + p] = gradient;
  return squaredError;
}
