// Decodes raw parameters, also represented as a Blob, since each value decodes by itself. CPU reference: decode in
// src/engine/model/blob.ts.
#import shared/config.wgsl
#import shared/smoothstep.wgsl
#import shared/direct.wgsl

override DIRECT: bool = false;

fn decode(raw: Blob) -> Blob {
  if (DIRECT) {
    return decodeDirect(raw, vec2f(job.textureSize));
  }
  return decodeSmoothstep(raw, job.covarianceScale);
}

fn decodeBackward(raw: Blob, d: Blob) -> Blob {
  if (DIRECT) {
    return decodeDirectBackward(raw, vec2f(job.textureSize), d);
  }
  return decodeSmoothstepBackward(raw, job.covarianceScale, d);
}
