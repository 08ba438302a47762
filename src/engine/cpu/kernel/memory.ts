// The kernel's memory, a stack: first the buffers of the job, then those of a step and of a task, which are freed
// together by returning to a mark.

let top: usize = __heap_base;

/** Returns the address of uninitialized bytes, 16-byte aligned. Traps if there is too little memory. */
export function allocate(bytes: usize): usize {
  const address = (top + 15) & ~15;
  // Beyond 4 GiB an address would wrap around.
  if (<u64>address + <u64>bytes + 0xffff > 0xffff0000) unreachable();
  top = address + bytes;
  const pages = <i32>((top + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  return address;
}

/** Returns the end of the allocated memory. */
export function mark(): usize {
  return top;
}

/** Frees memory allocated after a mark. */
export function release(to: usize): void {
  top = to;
}
