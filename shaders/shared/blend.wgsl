// Front-to-back alpha blending, its undo and its adjoint. CPU reference: alphaBlend in src/engine/model/blend.ts.
#import shared/blob.wgsl

// Below this transmittance a pixel takes no further blobs.
const LOWEST_TRANSMITTANCE = 1.0 / 255.0;

struct PixelState {
  // Premultiplied colour C and transmittance T.
  value: vec4f,
  // Blobs applied so far.
  finalCount: u32,
}

fn clearPixelState() -> PixelState {
  return PixelState(vec4f(0.0, 0.0, 0.0, 1.0), 0u);
}

// C' = C + alpha c T, T' = T (1 - k alpha) with the attenuation k.
fn alphaBlend(pixel: vec4f, blob: vec4f) -> vec4f {
  return vec4f(pixel.rgb + blob.a * pixel.a * blob.rgb, pixel.a * (1.0 - ATTENUATION * blob.a)); //@ blend.formula
}

fn undoAlphaBlend(pixel: vec4f, blob: vec4f) -> vec4f {
  let transmittance = pixel.a / (1.0 - ATTENUATION * blob.a); //@ undo.{divide,3,7}
  return vec4f(pixel.rgb - blob.a * transmittance * blob.rgb, transmittance); //@ undo.{0,1,2,4,5,6}
}

struct BlendGradient {
  pixel: vec4f,
  blob: vec4f,
}

// d is dL/d(C', T'); pixel is the state before the blob.
fn alphaBlendBackward(pixel: vec4f, blob: vec4f, d: vec4f) -> BlendGradient {
  let alongColor = dot(d.rgb, blob.rgb);
  return BlendGradient(
    vec4f(d.rgb, d.a * (1.0 - ATTENUATION * blob.a) + blob.a * alongColor), //@ blend.{0,1,2,3}
    vec4f(d.rgb * blob.a * pixel.a, pixel.a * (alongColor - ATTENUATION * d.a)), //@ undo.color blend.{4,5,6,7}
  );
}

// Applies a blob if T >= 1/255, so the blob that crosses the threshold is still applied.
fn transformPixelState(pixel: PixelState, blob: vec4f) -> PixelState {
  if (pixel.value.a < LOWEST_TRANSMITTANCE) { //@ blend.stop
    return pixel;
  }
  return PixelState(alphaBlend(pixel.value, blob), pixel.finalCount + 1u); //@ blend.count
}

// Undoes step `index`, counted from 1, if it was applied.
fn undoPixelState(pixel: PixelState, index: u32, blob: vec4f) -> PixelState {
  if (index > pixel.finalCount) {
    return pixel;
  }
  return PixelState(undoAlphaBlend(pixel.value, blob), pixel.finalCount - 1u);
}
