import type { LoopLocation } from "./boundLoops.js";
import type { DeclaredBinding } from "./declarations.js";

/** A compiled kernel and the layout of its one bind group. */
export interface Kernel {
  name: string;
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
  bindings: DeclaredBinding[];
  /** Its bounded loops, which are marked in group 1 when they reach the bound. */
  loops: LoopLocation[];
  /** Iterations after which loops are ended. */
  maxIterations: number | undefined;
}

/** A kernel to compile. */
export interface KernelSource {
  /** Its path under shaders/. */
  file: string;
  /** Values of the WGSL `override`s; undeclared ones are ignored. */
  constants: Record<string, number>;
}

/** The uniform with one element per dispatch, at a dynamic offset. */
export const dispatchName = "dispatch";

/** Returns the dynamic offsets of a kernel's bind group: none if it does not read the dispatch uniform. */
export function dispatchOffsets({ bindings }: Kernel, offset: number): number[] {
  return bindings.some(({ name }) => name === dispatchName) ? [offset] : [];
}

/** Returns a kernel's bind group, given a function from names in WGSL to buffers. */
export function bind(
  device: GPUDevice,
  { name: kernel, layout, bindings }: Kernel,
  bufferOf: (name: string) => GPUBufferBinding | undefined,
): GPUBindGroup {
  const entries = bindings.map(({ binding, name }) => {
    const resource = bufferOf(name);
    if (!resource) throw new Error(`${kernel} needs a buffer ${name}.`);
    return { binding, resource };
  });
  return device.createBindGroup({ layout, entries });
}
