// Loads a blob from the buffer of raw parameters, which the importing file declares, read-only or read_write. CPU
// reference: decode in src/engine/model/blob.ts.
#import shared/decode.wgsl

fn rawBlob(i: u32) -> Blob {
  let n = job.blobCount;
  return Blob(
    vec2f(parameters[i], parameters[n + i]),
    vec2f(parameters[2u * n + i], parameters[3u * n + i]),
    parameters[4u * n + i],
    vec3f(parameters[5u * n + i], parameters[6u * n + i], parameters[7u * n + i]),
    parameters[8u * n + i],
  );
}

fn loadBlob(i: u32) -> Blob {
  return decode(rawBlob(i));
}
