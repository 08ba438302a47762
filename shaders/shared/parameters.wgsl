// The read-only buffer of raw parameters: parameter f of blob i is at f * blobCount + i.
#import shared/loadBlob.wgsl

@group(0) @binding(2) var<storage, read> parameters: array<f32>;
