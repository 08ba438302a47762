// The model of a blob: raw parameters, their decoding, evaluation at a point. Twin: src/engine/cpu/blob.ts.

// Outside its 4-sigma ellipse a blob is nothing.
const LOWEST_POWER = -8.0;
// Keeps the undo's 1/(1 - alpha) bounded.
const HIGHEST_ALPHA = 0.99;

struct Blob {
  center: vec2f,
  variance: vec2f,
  correlation: f32,
  color: vec3f,
  opacity: f32,
}

// S(y) = t^2 (3 - 2t) with t = y clamped to 0..1.
fn smooth01(y: f32) -> f32 {
  let t = saturate(y);
  return t * t * (3.0 - 2.0 * t);
}

// dS/dy: zero outside 0..1.
fn smooth01Backward(y: f32) -> f32 {
  let t = saturate(y);
  return 6.0 * t * (1.0 - t);
}

// Raw parameters have the shape of a blob: each decodes by itself.
fn decode(raw: Blob, covarianceScale: f32) -> Blob {
  return Blob(
    vec2f(smooth01(raw.center.x), smooth01(raw.center.y)),
    (vec2f(smooth01(0.8 * raw.variance.x), smooth01(0.8 * raw.variance.y)) + 0.005) * covarianceScale,
    (smooth01(0.6 * raw.correlation) - 0.5) * 1.65,
    vec3f(smooth01(0.8 * raw.color.r), smooth01(0.8 * raw.color.g), smooth01(0.8 * raw.color.b)),
    smooth01(0.9 * raw.opacity + 0.1),
  );
}

fn decodeBackward(raw: Blob, covarianceScale: f32, d: Blob) -> Blob {
  return Blob(
    d.center * vec2f(smooth01Backward(raw.center.x), smooth01Backward(raw.center.y)),
    d.variance * vec2f(smooth01Backward(0.8 * raw.variance.x), smooth01Backward(0.8 * raw.variance.y))
      * (0.8 * covarianceScale),
    d.correlation * smooth01Backward(0.6 * raw.correlation) * (0.6 * 1.65),
    d.color * 0.8 * vec3f(
      smooth01Backward(0.8 * raw.color.r), smooth01Backward(0.8 * raw.color.g), smooth01Backward(0.8 * raw.color.b)),
    d.opacity * smooth01Backward(0.9 * raw.opacity + 0.1) * 0.9,
  );
}

// The exponent of a blob at a point: -1/2 d^T Sigma^-1 d, with d in standard deviations.
fn powerAt(blob: Blob, uv: vec2f) -> f32 {
  let d = (uv - blob.center) * inverseSqrt(blob.variance);
  let stretch = 1.0 / (1.0 - blob.correlation * blob.correlation);
  return -0.5 * stretch * (d.x * d.x - 2.0 * blob.correlation * d.x * d.y + d.y * d.y);
}

// e^power on the support, 0 outside.
fn falloffAt(blob: Blob, uv: vec2f) -> f32 {
  let power = powerAt(blob, uv);
  return select(0.0, exp(power), power >= LOWEST_POWER);
}

// The blob's colour and alpha at a point.
fn eval(blob: Blob, uv: vec2f) -> vec4f {
  return vec4f(blob.color, min(HIGHEST_ALPHA, blob.opacity * falloffAt(blob, uv)));
}

fn evalBackward(blob: Blob, uv: vec2f, d: vec4f) -> Blob {
  let falloff = falloffAt(blob, uv);
  let alpha = blob.opacity * falloff;
  // At its ceiling alpha is constant.
  let dAlpha = select(0.0, d.a, alpha < HIGHEST_ALPHA);
  let dPower = dAlpha * alpha;
  let perDeviation = inverseSqrt(blob.variance);
  let point = (uv - blob.center) * perDeviation;
  let stretch = 1.0 / (1.0 - blob.correlation * blob.correlation);
  let dPoint = -dPower * stretch * (point - blob.correlation * point.yx);
  return Blob(
    -dPoint * perDeviation,
    -0.5 * dPoint * point / blob.variance,
    dPower * stretch * (point.x * point.y + 2.0 * blob.correlation * powerAt(blob, uv)),
    d.rgb,
    dAlpha * falloff,
  );
}
