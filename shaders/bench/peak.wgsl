// Measures peak multiply-adds: each thread evaluates sixteen independent chains.

struct Chains {
  factor: f32,
  summand: f32,
  rounds: u32,
}

@group(0) @binding(0) var<uniform> chains: Chains;
@group(0) @binding(2) var<storage, read_write> ends: array<f32>;

override THREADS: u32 = 256;
// Links of each chain per round.
override LINKS: u32 = 8;

@compute @workgroup_size(THREADS)
fn main(@builtin(global_invocation_id) thread: vec3u) {
  let factor = vec4f(chains.factor);
  let summand = vec4f(chains.summand);
  let start = vec4f(f32(thread.x)) * 1e-6;
  var a = start;
  var b = start + 0.25;
  var c = start + 0.5;
  var d = start + 0.75;
  for (var round = 0u; round < chains.rounds; round++) {
    for (var link = 0u; link < LINKS; link++) {
      a = fma(a, factor, summand);
      b = fma(b, factor, summand);
      c = fma(c, factor, summand);
      d = fma(d, factor, summand);
    }
  }
  // Stored so that no compiler can remove the chains.
  ends[thread.x] = dot(a + b + c + d, vec4f(1.0));
}
