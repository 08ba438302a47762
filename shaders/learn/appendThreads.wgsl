// Every thread adds 1 to a word, appends its index to a list, waits, and reads a slot of the list.
#import shared/uv.wgsl

// The slots as the threads read them, then the sum without atomics, then the sum by atomicAdd.
@group(0) @binding(0) var<storage, read_write> found: array<u32>;

var<workgroup> sh_sum: u32;
var<workgroup> sh_length: atomic<u32>;
var<workgroup> sh_list: array<u32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  sh_sum += 1u; // data race
  let slot = atomicAdd(&sh_length, 1u); //@ append.slot
  sh_list[slot] = localIndex; //@ append.write
  workgroupBarrier(); //@ append.barrier
  found[localIndex] = sh_list[localIndex]; //@ append.read
  if (localIndex == 0u) {
    found[WORKGROUP_SIZE] = sh_sum;
    found[WORKGROUP_SIZE + 1u] = atomicLoad(&sh_length);
  }
}
