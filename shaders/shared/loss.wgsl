// Adds the background to a pixel and computes its loss. CPU reference: compositeChannel and lossBackward in
// src/engine/model/blend.ts.
#import shared/config.wgsl

// The target: rgba8 in sRGB, one u32 per pixel.
@group(0) @binding(5) var<storage, read> targetImage: array<u32>;

fn targetColor(pixel: vec2u) -> vec3f {
  return unpack4x8unorm(targetImage[pixel.y * job.textureSize.x + pixel.x]).rgb;
}

// C (1 - T) + T as in the original algorithm, C + T over white, or C over black.
const ORIGINAL = 0u;
const WHITE = 1u;
override BACKGROUND: u32 = ORIGINAL;

fn composite(pixel: vec4f) -> vec3f {
  return pixel.rgb * select(1.0, 1.0 - pixel.a, BACKGROUND == ORIGINAL) + select(0.0, pixel.a, BACKGROUND <= WHITE);
}

fn compositeBackward(pixel: vec4f, d: vec3f) -> vec4f {
  if (BACKGROUND == ORIGINAL) {
    return vec4f(d * (1.0 - pixel.a), dot(d, 1.0 - pixel.rgb)); //@ composite.original.{0,1,2,3}
  }
  return vec4f(d, select(0.0, d.r + d.g + d.b, BACKGROUND == WHITE)); //@ composite.{white,black}.{0,1,2,3}
}

struct LossGradient {
  squaredError: f32,
  pixel: vec4f,
}

// Returns the squared error over rgb, and dL/d(C, T) for a loss that is the mean over pixels.
fn lossBackward(pixel: vec4f, targetRgb: vec3f) -> LossGradient {
  let error = composite(pixel) - targetRgb; //@ loss.error
  let weight = 1.0 / (f32(job.textureSize.x) * f32(job.textureSize.y));
  return LossGradient(dot(error, error), compositeBackward(pixel, 2.0 * weight * error)); //@ loss.{original,white,black}.{0,1,2,3}
}
