// Measures memory bandwidth: each byte is read once and written once.

@group(0) @binding(2) var<storage, read> source: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> copied: array<vec4f>;

override THREADS: u32 = 256;
// 16-byte words per thread.
override WORDS: u32 = 4;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let first = workgroup.x * THREADS * WORDS + localIndex;
  for (var k = 0u; k < WORDS; k++) {
    let i = first + k * THREADS;
    copied[i] = source[i];
  }
}
