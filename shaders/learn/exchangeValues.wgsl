// Every thread writes a value to workgroup memory and reads its neighbour's, with or without a barrier in between.
#import shared/uv.wgsl

override WAITS: bool = true;

// The value that each thread read: its neighbour's number, counted from 1, if the neighbour had written it.
@group(0) @binding(0) var<storage, read_write> neighbours: array<u32>;

var<workgroup> sh_values: array<u32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let neighbour = (localIndex + 1u) % WORKGROUP_SIZE;
  sh_values[localIndex] = localIndex + 1u; //@ exchange.write
  if (WAITS) {
    workgroupBarrier(); //@ exchange.barrier
  }
  let value = sh_values[neighbour]; //@ exchange.read
  neighbours[workgroup.x * WORKGROUP_SIZE + localIndex] = value;
}
