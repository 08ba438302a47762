// A pixel's segments, put together: C = C + T c', T = T t' for a segment (c', t') that was blended by itself.
#import binned/segments.wgsl
#import shared/blend.wgsl

@group(0) @binding(10) var<storage, read> pixelBlobs: array<vec4f>;
@group(0) @binding(14) var<storage, read> list: array<vec2u>;

struct ComposedPixel {
  state: vec4f,
  // The last segment of which the pixel took a blob.
  lastSegment: u32,
}

fn composePixel(tileList: TileList, pixel: vec2u, p: u32) -> ComposedPixel {
  var composed = ComposedPixel(clearPixelState().value, 0u);
  for (var k = 0u; k < segmentsOf(tileList.count); k++) {
    let partial = partials[(tileList.firstSegment + k) * TILE_PIXELS + p];
    composed.lastSegment = k;
    let transmittance = composed.state.a * partial.a;
    if (transmittance < LOWEST_TRANSMITTANCE) {
      // The pixel goes opaque in this segment, and stops behind the blob with which it does.
      composed.state = blendUntilOpaque(composed.state, tileList, k, vec2f(pixel));
      break;
    }
    composed.state = vec4f(composed.state.rgb + composed.state.a * partial.rgb, transmittance);
  }
  return composed;
}

fn blendUntilOpaque(before: vec4f, tileList: TileList, segment: u32, pixel: vec2f) -> vec4f {
  var state = before;
  let first = tileList.first + segment * SEGMENT_LENGTH;
  let end = min(first + SEGMENT_LENGTH, tileList.first + tileList.count);
  for (var k = first; k < end && state.a >= LOWEST_TRANSMITTANCE; k++) {
    let i = list[k].x;
    let blob = unpackBlob(pixelBlobs[3u * i], pixelBlobs[3u * i + 1u], pixelBlobs[3u * i + 2u]);
    let point = (pixel - blob.center) * blob.perDeviation;
    state = alphaBlend(state, vec4f(blob.color, min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, point))));
  }
  return state;
}
