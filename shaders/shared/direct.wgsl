// Decoding of direct parameters, which has no zero slope anywhere: the centre in pixels; logarithms of the standard
// deviations in pixels; artanh of the correlation; the colour unchanged; the opacity's logit. CPU reference:
// decodeDirect in src/engine/model/blob.ts.
#import shared/blob.wgsl

// Added to the variances, in pixels squared: thinner blobs would fall between the pixels.
const LOWEST_VARIANCE = 0.04;
const HIGHEST_CORRELATION = 0.999;

// Returns tanh and its slope. 1 - tanh^2 would lose its digits if tanh is near 1.
fn tanhWithSlope(x: f32) -> vec2f {
  let e = exp(-2.0 * abs(x));
  return vec2f(sign(x) * (1.0 - e) / (1.0 + e), 4.0 * e / ((1.0 + e) * (1.0 + e)));
}

// In a sum the opacity is 1: colours alone are learned.
fn directOpacity(raw: f32) -> f32 {
  return select(1.0 / (1.0 + exp(-raw)), 1.0, ATTENUATION == 0.0);
}

fn decodeDirect(raw: Blob, textureSize: vec2f) -> Blob {
  return Blob(
    raw.center / textureSize,
    (exp(2.0 * raw.variance) + LOWEST_VARIANCE) / (textureSize * textureSize),
    HIGHEST_CORRELATION * tanhWithSlope(raw.correlation).x,
    raw.color,
    directOpacity(raw.opacity),
  );
}

fn decodeDirectBackward(raw: Blob, textureSize: vec2f, d: Blob) -> Blob {
  let opacity = directOpacity(raw.opacity);
  return Blob(
    d.center / textureSize, //@ decode.{0,1}
    d.variance * 2.0 * exp(2.0 * raw.variance) / (textureSize * textureSize), //@ decode.{2,3}
    d.correlation * HIGHEST_CORRELATION * tanhWithSlope(raw.correlation).y, //@ decode.4
    d.color, //@ decode.{5,6,7}
    d.opacity * opacity * (1.0 - opacity), //@ decode.8
  );
}
