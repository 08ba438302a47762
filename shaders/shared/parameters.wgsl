// The field-major buffer of raw parameters, to read: parameter f of blob i at f * blobCount + i.
#import shared/loadBlob.wgsl

@group(0) @binding(2) var<storage, read> parameters: array<f32>;
