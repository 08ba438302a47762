// The original algorithm's decoding: every value is a smoothstep of its raw parameter, and constant outside its range.
// CPU reference: smoothstep in src/engine/model/blob.ts.
#import shared/blob.wgsl

// Returns S(y) = t^2 (3 - 2t) with t = y clamped to 0..1.
fn smooth01(y: f32) -> f32 {
  let t = saturate(y);
  return t * t * (3.0 - 2.0 * t);
}

// Returns dS/dy: zero outside 0..1.
fn smooth01Backward(y: f32) -> f32 {
  let t = saturate(y);
  return 6.0 * t * (1.0 - t);
}

fn decodeSmoothstep(raw: Blob, covarianceScale: f32) -> Blob {
  return Blob(
    vec2f(smooth01(raw.center.x), smooth01(raw.center.y)),
    (vec2f(smooth01(0.8 * raw.variance.x), smooth01(0.8 * raw.variance.y)) + 0.005) * covarianceScale,
    (smooth01(0.6 * raw.correlation) - 0.5) * 1.65,
    vec3f(smooth01(0.8 * raw.color.r), smooth01(0.8 * raw.color.g), smooth01(0.8 * raw.color.b)),
    smooth01(0.9 * raw.opacity + 0.1),
  );
}

fn decodeSmoothstepBackward(raw: Blob, covarianceScale: f32, d: Blob) -> Blob {
  return Blob(
    d.center * vec2f(smooth01Backward(raw.center.x), smooth01Backward(raw.center.y)), //@ decode.{0,1}
    d.variance * vec2f(smooth01Backward(0.8 * raw.variance.x), smooth01Backward(0.8 * raw.variance.y)) //@ decode.{2,3}
      * (0.8 * covarianceScale),
    d.correlation * smooth01Backward(0.6 * raw.correlation) * (0.6 * 1.65), //@ decode.4
    d.color * 0.8 * vec3f( //@ decode.{5,6,7}
      smooth01Backward(0.8 * raw.color.r), smooth01Backward(0.8 * raw.color.g), smooth01Backward(0.8 * raw.color.b)),
    d.opacity * smooth01Backward(0.9 * raw.opacity + 0.1) * 0.9, //@ decode.8
  );
}
