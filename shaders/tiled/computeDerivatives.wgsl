// Second kernel of a step: for each tile, forward through its blobs to the loss, then backward to their gradients. CPU
// references: differentiate in src/engine/model/rasterize.ts, passes in src/engine/model/shortList.ts.
#import tiled/shortList.wgsl
#import tiled/fineRasterize.wgsl
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
  let bounds = tileBounds(place.origin, renderMapping());

  // Usually one pass. A list that overflows takes several, over successive windows of blob indices.
  var list = ShortList(SortedShortList(), Window(0u, 0u), 0u);
  var length = job.blobCount;
  var state = clearPixelState();
  var blobs = 0u;
  var passes = 0u;
  while (list.window.end < job.blobCount) {
    list = shortListAfter(list.window.end, length, bounds, localIndex);
    length = list.window.end - list.window.start;
    state = fineRasterize(list.list, list.blobCount, uv, state);
    blobs += list.blobCount;
    passes++;
  }

  var pixel = PixelGradient(state, vec4f());
  var squaredError = 0.0;
  if (place.inside) {
    let loss = lossBackward(state.value, targetColor(place.pixel));
    pixel.d = loss.pixel;
    squaredError = loss.squaredError;
  }

  // The last list is still in memory; the windows before it are gathered again.
  var blobsBefore = blobs;
  loop {
    blobsBefore -= list.blobCount;
    pixel = fineRasterizeBackward(list.list, list.blobCount, blobsBefore, uv, localIndex, pixel);
    if (list.window.start == 0u) {
      break;
    }
    list = shortListBefore(list.window.start, list.window.end - list.window.start, bounds, localIndex);
  }

  let tileError = treeReduce(squaredError, localIndex);
  if (localIndex == 0u) {
    tileStatistics[tile] = TileStatistics(tileError, blobs, passes);
  }
}
