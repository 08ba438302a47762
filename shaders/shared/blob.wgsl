// The model of a blob: its values, and its evaluation at a point. CPU reference: evalFalloff in
// src/engine/model/blob.ts.

// The power at the edge of a blob's support, its 4-sigma ellipse.
const LOWEST_POWER = -8.0;
// Fraction of its alpha by which a blob attenuates the blobs behind it: 1 in alpha compositing, 0 in a sum.
override ATTENUATION: f32 = 1.0;
// Keeps the undo's 1/(1 - alpha) bounded.
override HIGHEST_ALPHA: f32 = select(0.99, 1e30, ATTENUATION == 0.0);

struct Blob {
  center: vec2f,
  variance: vec2f,
  correlation: f32,
  color: vec3f,
  opacity: f32,
}

// Returns a blob's exponent at a point: -1/2 d^T Sigma^-1 d, with d in standard deviations.
fn powerAt(blob: Blob, uv: vec2f) -> f32 {
  let d = (uv - blob.center) * inverseSqrt(blob.variance);
  let stretch = 1.0 / (1.0 - blob.correlation * blob.correlation);
  return -0.5 * stretch * (d.x * d.x - 2.0 * blob.correlation * d.x * d.y + d.y * d.y); //@ adjoint.power
}

// Returns e^power on the support, 0 outside.
fn falloffAt(blob: Blob, uv: vec2f) -> f32 {
  let power = powerAt(blob, uv);
  return select(0.0, exp(power), power >= LOWEST_POWER);
}

// Returns the blob's colour and alpha at a point.
fn eval(blob: Blob, uv: vec2f) -> vec4f {
  return vec4f(blob.color, min(HIGHEST_ALPHA, blob.opacity * falloffAt(blob, uv))); //@ adjoint.ceiling
}

fn evalBackward(blob: Blob, uv: vec2f, d: vec4f) -> Blob {
  let falloff = falloffAt(blob, uv);
  let alpha = blob.opacity * falloff;
  // At its ceiling alpha is constant.
  let dAlpha = select(0.0, d.a, alpha < HIGHEST_ALPHA); //@ adjoint.ceiling
  let dPower = dAlpha * alpha;
  let perDeviation = inverseSqrt(blob.variance);
  let point = (uv - blob.center) * perDeviation;
  let stretch = 1.0 / (1.0 - blob.correlation * blob.correlation);
  let dPoint = -dPower * stretch * (point - blob.correlation * point.yx); //@ adjoint.power
  return Blob(
    -dPoint * perDeviation, //@ falloff.{0,1}
    -0.5 * dPoint * point / blob.variance, //@ covariance.{0,1}
    dPower * stretch * (point.x * point.y + 2.0 * blob.correlation * powerAt(blob, uv)), //@ covariance.2
    d.rgb,
    dAlpha * falloff, //@ falloff.2
  );
}
