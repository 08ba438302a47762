// Pixels, tiles and UV space. CPU reference: calcUV in src/engine/model/uv.ts.
#import shared/bounds.wgsl
#import shared/config.wgsl

// A tile is one workgroup, with one thread per pixel.
override TILE_WIDTH: u32 = 8;
override TILE_HEIGHT: u32 = 4;
override WORKGROUP_SIZE: u32 = TILE_WIDTH * TILE_HEIGHT;

// uv = pixel * scale + offset.
struct UvMapping {
  scale: vec2f,
  offset: vec2f,
}

// Fits a texture to a render of another shape: its middle fills the render.
fn calcUV(renderSize: vec2f, textureSize: vec2f) -> UvMapping {
  let renderAspect = renderSize.x / renderSize.y;
  let textureAspect = textureSize.x / textureSize.y;
  if (renderAspect > textureAspect) {
    let covered = textureAspect / renderAspect;
    return UvMapping(vec2f(1.0, covered) / renderSize, vec2f(0.0, (1.0 - covered) / 2.0)); //@ uv.wide
  }
  let covered = renderAspect / textureAspect;
  return UvMapping(vec2f(covered, 1.0) / renderSize, vec2f((1.0 - covered) / 2.0, 0.0)); //@ uv.tall
}

// A thread's tile origin and pixel in a one-dimensional dispatch (calcCompressedDispatchIDs of the original Slang
// sample).
struct ThreadPlace {
  origin: vec2u,
  pixel: vec2u,
  inside: bool,
}

fn threadPlace(tile: u32, localIndex: u32, renderSize: vec2u) -> ThreadPlace {
  let across = (renderSize.x + TILE_WIDTH - 1u) / TILE_WIDTH;
  let origin = vec2u(tile % across, tile / across) * vec2u(TILE_WIDTH, TILE_HEIGHT); //@ place.origin
  let pixel = origin + vec2u(localIndex % TILE_WIDTH, localIndex / TILE_WIDTH); //@ place.pixel
  return ThreadPlace(origin, pixel, all(pixel < renderSize)); //@ place.inside
}

fn renderMapping() -> UvMapping {
  return calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize));
}

// Returns the position of a pixel of the render on the texture.
fn pixelUV(pixel: vec2u) -> vec2f {
  let mapping = renderMapping();
  return vec2f(pixel) * mapping.scale + mapping.offset;
}

// Returns a tile's box on the texture.
fn tileBounds(origin: vec2u, mapping: UvMapping) -> OrientedBox {
  let tileLow = vec2f(origin) * mapping.scale + mapping.offset; //@ uv.tile
  let half = 0.5 * vec2f(vec2u(TILE_WIDTH, TILE_HEIGHT)) * mapping.scale;
  return OrientedBox(tileLow + half, vec2f(1.0, 0.0), half);
}
