import type { LoopLocation } from "./boundLoops.js";
import type { DeclaredBinding } from "./declarations.js";

/** A compiled kernel and the layout of its one bind group. */
export interface Kernel {
  name: string;
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
  bindings: DeclaredBinding[];
  /** Its loops that are bounded, and marked in group 1 when they reach it. */
  loops: LoopLocation[];
  /** Turns after which they are ended. */
  maxIterations: number | undefined;
}

/** A kernel as a pipeline wants it. */
export interface KernelSource {
  /** Its path under shaders/. */
  file: string;
  /** Values of the WGSL `override`s; those that it does not declare are none of its. */
  constants: Record<string, number>;
}

/** The uniform that each dispatch has a part of, at an offset of its own. */
export const dispatchName = "dispatch";

/** The dynamic offsets of a kernel's bind group, for a part of that uniform; none where the kernel does not read it. */
export function dispatchOffsets({ bindings }: Kernel, offset: number): number[] {
  return bindings.some(({ name }) => name === dispatchName) ? [offset] : [];
}

/** A kernel's bind group, of what its buffers are by their names in WGSL. */
export function bind(
  device: GPUDevice,
  { name: kernel, layout, bindings }: Kernel,
  bufferOf: (name: string) => GPUBufferBinding | undefined,
): GPUBindGroup {
  const entries = bindings.map(({ binding, name }) => {
    const resource = bufferOf(name);
    if (!resource) throw new Error(`${kernel} was given no ${name}.`);
    return { binding, resource };
  });
  return device.createBindGroup({ layout, entries });
}
