// Sums a gradient over all threads to memory: clamp, tree reduction, compare-and-swap. CPU reference: treeReduce in
// src/engine/model/accumulate.ts.
#import shared/uv.wgsl
#import shared/parameters.wgsl

// 10 as in the original Slang sample; unbounded for direct parameters.
override LARGEST_GRADIENT: f32 = 10.0;

// The bits of floats: WGSL has no float atomics.
@group(0) @binding(3) var<storage, read_write> gradients: array<atomic<u32>>;

var<workgroup> sh_reduction: array<f32, WORKGROUP_SIZE>;

// Sums a value over the workgroup; the sum is thread 0's result. Call it in uniform control flow. The next call needs
// no barrier before it: after the last barrier here, each thread reads only its own element.
fn treeReduce(value: f32, localIndex: u32) -> f32 {
  sh_reduction[localIndex] = value; //@ reduce.write
  workgroupBarrier();
  for (var stride = firstStride(WORKGROUP_SIZE); stride > 0u; stride /= 2u) { //@ reduce.round
    if (localIndex < stride && localIndex + stride < WORKGROUP_SIZE) {
      sh_reduction[localIndex] += sh_reduction[localIndex + stride]; //@ reduce.add
    }
    workgroupBarrier();
  }
  return sh_reduction[localIndex]; //@ reduce.result
}

// Returns half the smallest power of two that is at least n.
fn firstStride(n: u32) -> u32 {
  return (1u << (32u - countLeadingZeros(n - 1u))) / 2u;
}

// Adds to a float that other workgroups add to: retries until no other write intervenes.
fn atomicAccumulate(value: f32, slot: u32) {
  if (value == 0.0) { //@ swap.zero
    return;
  }
  var seen = atomicLoad(&gradients[slot]); //@ swap.load
  loop {
    let swap = atomicCompareExchangeWeak(&gradients[slot], seen, bitcast<u32>(bitcast<f32>(seen) + value)); //@ swap.swap
    if (swap.exchanged) { //@ swap.exchanged
      break;
    }
    seen = swap.old_value; //@ swap.retry
  }
}

fn accumulateParameter(d: f32, field: u32, blob: u32, localIndex: u32) {
  let sum = treeReduce(clamp(d, -LARGEST_GRADIENT, LARGEST_GRADIENT), localIndex); //@ reduce.clamp
  if (localIndex == 0u) {
    atomicAccumulate(sum, field * job.blobCount + blob); //@ reduce.memory
  }
}

// Adds each thread's gradient of a blob to memory, one parameter after the other.
fn accumulate(d: Blob, blob: u32, localIndex: u32) {
  accumulateParameter(d.center.x, 0u, blob, localIndex);
  accumulateParameter(d.center.y, 1u, blob, localIndex);
  accumulateParameter(d.variance.x, 2u, blob, localIndex);
  accumulateParameter(d.variance.y, 3u, blob, localIndex);
  accumulateParameter(d.correlation, 4u, blob, localIndex);
  accumulateParameter(d.color.r, 5u, blob, localIndex);
  accumulateParameter(d.color.g, 6u, blob, localIndex);
  accumulateParameter(d.color.b, 7u, blob, localIndex);
  accumulateParameter(d.opacity, 8u, blob, localIndex);
}
