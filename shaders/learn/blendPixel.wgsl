// One thread runs the forward and backward pass of one pixel over a given tile list, with the stage that trains; for
// the steppers of the learn pages. Compile it with tiles of one pixel.
#import tiled/fineRasterize.wgsl
#import shared/loss.wgsl

// Length of the list, then its blobs.
@group(0) @binding(10) var<storage, read> shortList: array<u32>;
// The blended pixel: premultiplied colour and transmittance.
@group(0) @binding(11) var<storage, read_write> blended: array<vec4f>;

// Loads as much of the list from `start` on as workgroup memory holds. Returns the number of blobs.
fn load(start: u32) -> u32 {
  let blobCount = min(GAUSSIANS_PER_BLOCK, shortList[0] - start);
  for (var i = 0u; i < blobCount; i++) {
    sh_blobs[i] = shortList[1u + start + i];
  }
  return blobCount;
}

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(workgroup: Workgroup) {
  let place = threadPlace(dispatch.first + linearWorkgroup(workgroup), 0u, dispatch.renderSize);
  let uv = pixelUV(place.pixel);
  let length = shortList[0];

  var state = clearPixelState();
  for (var start = 0u; start < length; start += GAUSSIANS_PER_BLOCK) {
    state = fineRasterize(SortedShortList(), load(start), uv, state);
  }
  blended[0] = state.value;

  let loss = lossBackward(state.value, targetColor(place.pixel));
  var pixel = PixelGradient(state, loss.pixel);
  for (var blocks = (length + GAUSSIANS_PER_BLOCK - 1u) / GAUSSIANS_PER_BLOCK; blocks > 0u; blocks--) {
    let start = (blocks - 1u) * GAUSSIANS_PER_BLOCK;
    pixel = fineRasterizeBackward(SortedShortList(), load(start), start, uv, 0u, pixel);
  }
  blended[1] = pixel.state.value;
}
