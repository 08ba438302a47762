// The kernel's memory: one region after the other. Those of the job come first; those of a step, and of a part, are given
// up together by going back to a mark.

let top: usize = __heap_base;

/** Returns the address of so many bytes, 16-byte aligned; they hold whatever was there. Traps where there is no memory. */
export function allocate(bytes: usize): usize {
  const address = (top + 15) & ~15;
  // Beyond 4 GiB an address would wrap around.
  if (<u64>address + <u64>bytes + 0xffff > 0xffff0000) unreachable();
  top = address + bytes;
  const pages = <i32>((top + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  return address;
}

/** Returns the end of what is allocated. */
export function mark(): usize {
  return top;
}

/** Frees what was allocated after a mark. */
export function release(to: usize): void {
  top = to;
}
