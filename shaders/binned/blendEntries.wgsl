// The entries of a tile's list, and how a pixel takes them, front to back.
#import binned/segments.wgsl
#import shared/blend.wgsl

@group(0) @binding(13) var<storage, read> tileLists: array<TileList>;
@group(0) @binding(14) var<storage, read> list: array<vec4u>;

fn entryOf(tileList: TileList, i: u32) -> Entry {
  if (i >= tileList.count) {
    return Entry();
  }
  let at = 3u * (tileList.first + i);
  return unpackEntry(list[at], list[at + 1u], list[at + 2u]);
}

// A blob's colour and alpha at a pixel.
fn colorOf(blob: PixelBlob, pixel: vec2f) -> vec4f {
  return vec4f(blob.color, min(HIGHEST_ALPHA, blob.opacity * pixelFalloff(blob, pixel - blob.center)));
}

fn blendWhileOpen(state: vec4f, blob: vec4f) -> vec4f {
  return alphaBlend(state, vec4f(blob.rgb, select(0.0, blob.a, state.a >= LOWEST_TRANSMITTANCE)));
}
