// Summing a pair's gradient over its pixels. Where a single pixel's gradient of a raw parameter could reach the clamp,
// which the host decides by a bound, each pixel is taken to raw parameters and clamped; otherwise moments suffice.
#import binned/lists.wgsl
#import shared/decode.wgsl

override CLAMPED: bool = false;
override LARGEST_GRADIENT: f32 = 10.0;

// A blob as the clamp needs it: raw and decoded.
struct ClampBlob {
  raw: Blob,
  decoded: Blob,
}

// Adds a pixel's part at an offset from the blob's centre, in pixels.
fn addPixel(sum: ptr<function, Slot>, blob: ClampBlob, dPower: f32, offset: vec2f, dColor: vec3f) {
  let moment = Slot(
    dPower * vec4f(1.0, offset, offset.x * offset.x),
    vec4f(dPower * offset.y * offset, dColor.rg),
    dColor.b,
    0u,
  );
  if (CLAMPED) {
    let d = decodeBackward(blob.raw, gradientOfMoments(blob.decoded, perPixel(blob.decoded), moment));
    let low = vec4f(-LARGEST_GRADIENT);
    let high = vec4f(LARGEST_GRADIENT);
    (*sum).a += clamp(vec4f(d.center, d.variance), low, high);
    (*sum).b += clamp(vec4f(d.correlation, d.color), low, high);
    (*sum).c += clamp(d.opacity, low.x, high.x);
  } else {
    (*sum).a += moment.a;
    (*sum).b += moment.b;
    (*sum).c += moment.c;
  }
}

// How many standard deviations a pixel is wide and high.
fn perPixel(blob: Blob) -> vec2f {
  return inverseSqrt(blob.variance) / vec2f(job.textureSize);
}

// dL/draw from the sum over all of a blob's pairs.
fn rawGradient(raw: Blob, sum: Slot) -> Blob {
  if (CLAMPED) {
    return Blob(sum.a.xy, sum.a.zw, sum.b.x, sum.b.yzw, sum.c);
  }
  let decoded = decode(raw);
  return decodeBackward(raw, gradientOfMoments(decoded, perPixel(decoded), sum));
}
