// Computes the adjoint of one stage at one point with the functions that train; for figures that compare it with finite
// differences, and with the backward functions of the CPU reference, src/engine/model.
#import shared/decode.wgsl
#import shared/blend.wgsl
#import shared/loss.wgsl

const DECODE = 0u;
const COVARIANCE = 1u;
const FALLOFF = 2u;
const BLEND = 3u;
const UNDO = 4u;
const COMPOSITED = 5u;
override STAGE: u32 = DECODE;

// The stage's inputs, then dL/d(outputs), then constants.
@group(0) @binding(10) var<storage, read> given: array<f32>;
// dL/d(inputs).
@group(0) @binding(11) var<storage, read_write> adjoint: array<f32>;

fn givenBlob(at: u32) -> Blob {
  return Blob(
    vec2f(given[at], given[at + 1u]),
    vec2f(given[at + 2u], given[at + 3u]),
    given[at + 4u],
    vec3f(given[at + 5u], given[at + 6u], given[at + 7u]),
    given[at + 8u],
  );
}

fn givenPixel(at: u32) -> vec4f {
  return vec4f(given[at], given[at + 1u], given[at + 2u], given[at + 3u]);
}

fn writePixel(at: u32, pixel: vec4f) {
  adjoint[at] = pixel.r;
  adjoint[at + 1u] = pixel.g;
  adjoint[at + 2u] = pixel.b;
  adjoint[at + 3u] = pixel.a;
}

fn decodeAdjoint() {
  let d = decodeBackward(givenBlob(0u), givenBlob(9u));
  adjoint[0] = d.center.x;
  adjoint[1] = d.center.y;
  adjoint[2] = d.variance.x;
  adjoint[3] = d.variance.y;
  adjoint[4] = d.correlation;
  for (var channel = 0u; channel < 3u; channel++) {
    adjoint[5u + channel] = d.color[channel];
  }
  adjoint[8] = d.opacity;
}

// Of the falloff alone: a blob with opacity 1/2 has half of it as alpha.
fn covarianceAdjoint() {
  let blob = Blob(vec2f(given[4], given[5]), vec2f(given[0], given[1]), given[2], vec3f(), 0.5);
  let d = evalBackward(blob, vec2f(given[6], given[7]), vec4f(vec3f(), 2.0 * given[3]));
  adjoint[0] = d.variance.x;
  adjoint[1] = d.variance.y;
  adjoint[2] = d.correlation;
}

fn falloffAdjoint() {
  let blob = Blob(vec2f(given[0], given[1]), vec2f(given[4], given[5]), given[6], vec3f(), given[2]);
  let d = evalBackward(blob, vec2f(given[7], given[8]), vec4f(vec3f(), given[3]));
  adjoint[0] = d.center.x;
  adjoint[1] = d.center.y;
  adjoint[2] = d.opacity;
}

fn blendAdjoint() {
  let before = PixelState(givenPixel(0u), 0u);
  let blob = givenPixel(4u);
  let d = givenPixel(8u);
  let after = transformPixelState(before, blob);
  // A blob that was not applied leaves the gradient unchanged.
  var gradient = BlendGradient(d, vec4f());
  if (after.finalCount == 1u) {
    let state = select(before.value, undoPixelState(after, 1u, blob).value, STAGE == UNDO);
    gradient = alphaBlendBackward(state, blob, d);
  }
  writePixel(0u, gradient.pixel);
  writePixel(4u, gradient.blob);
}

@compute @workgroup_size(1)
fn main() {
  switch STAGE {
    case DECODE: {
      decodeAdjoint();
    }
    case COVARIANCE: {
      covarianceAdjoint();
    }
    case FALLOFF: {
      falloffAdjoint();
    }
    case BLEND, UNDO: {
      blendAdjoint();
    }
    case COMPOSITED: {
      writePixel(0u, compositeBackward(givenPixel(0u), vec3f(given[4], given[5], given[6])));
    }
    default: {
      writePixel(0u, given[4] * lossBackward(givenPixel(0u), vec3f(given[5], given[6], given[7])).pixel);
    }
  }
}
