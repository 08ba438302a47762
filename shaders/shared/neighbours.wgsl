// Finds the threads with which each thread exchanges values one lane and two lanes away in its subgroup.
// WGSL does not promise that a thread's lane follows its local_invocation_index.
enable subgroups;

@group(0) @binding(25) var<storage, read_write> neighbours: array<vec2u>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  neighbours[localIndex] = vec2u(subgroupShuffleXor(localIndex, 1u), subgroupShuffleXor(localIndex, 2u));
}
