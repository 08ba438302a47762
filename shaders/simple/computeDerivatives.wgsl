// Second kernel of a step: forward through all blobs to the loss, then backward to their gradients; one thread per
// pixel. CPU reference: differentiate in src/engine/model/rasterize.ts.
#import simple/simpleSplatBlobs.wgsl
#import shared/loss.wgsl
#import shared/tileStatistics.wgsl

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = dispatch.first + linearWorkgroup(workgroup);
  if (tile >= dispatch.end) {
    return;
  }
  let place = threadPlace(tile, localIndex, dispatch.renderSize);
  let uv = pixelUV(place.pixel);
  let state = simpleSplatBlobs(uv);
  var loss = LossGradient();
  if (place.inside) {
    loss = lossBackward(state.value, targetColor(place.pixel));
  }
  simpleSplatBlobsBackward(uv, localIndex, state, loss.pixel);
  let tileError = treeReduce(loss.squaredError, localIndex);
  if (localIndex == 0u) {
    tileStatistics[tile] = TileStatistics(tileError, job.blobCount, 1u);
  }
}
