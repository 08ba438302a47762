// Renders the blobs at any size: the forward pass alone. CPU references: draw in src/engine/model/rasterize.ts, passes
// in src/engine/model/shortList.ts.
#import tiled/shortList.wgsl
#import tiled/fineRasterize.wgsl
#import shared/loss.wgsl

// Red, green, blue and transmittance of each pixel.
@group(0) @binding(9) var<storage, read_write> render: array<vec4f>;

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) {
  let tile = dispatch.first + linearWorkgroup(workgroup);
  if (tile >= dispatch.end) {
    return;
  }
  let place = threadPlace(tile, localIndex, dispatch.renderSize);
  let uv = pixelUV(place.pixel);
  let bounds = tileBounds(place.origin, renderMapping());

  var list = ShortList(SortedShortList(), Window(0u, 0u), 0u);
  var length = job.blobCount;
  var state = clearPixelState();
  while (list.window.end < job.blobCount) {
    list = shortListAfter(list.window.end, length, bounds, localIndex);
    length = list.window.end - list.window.start;
    state = fineRasterize(list.list, list.blobCount, uv, state);
  }
  if (place.inside) {
    render[place.pixel.y * dispatch.renderSize.x + place.pixel.x] = vec4f(composite(state.value), state.value.a); //@ draw.store
  }
}
