import type { Gpu } from "./device.js";
import type { Bindings } from "./kernel.js";
import { GpuMemory } from "./memory.js";
import type { ShaderLibrary } from "./shaders.js";

/** What a binding holds at first: so many zeroed bytes, or these. */
export interface BenchBuffer {
  type: GPUBufferBindingType;
  contents: number | ArrayBufferView;
}

/** A kernel by itself, over buffers of its own. */
export interface BenchKernel {
  /** Its path under shaders/; its entry point is `main`. */
  file: string;
  /** Values of the WGSL `override`s. */
  constants?: Record<string, number>;
  /** By the number of their binding in group 0. Binding 1 is a uniform at a dynamic offset, here 0. */
  buffers: Record<number, BenchBuffer>;
  /** 1 if absent. */
  workgroups?: number | [x: number, y?: number, z?: number];
}

/**
 * Runs a kernel once, and frees all that it took.
 * @param library the files that it is composed of
 * @returns what it left in the buffers of type "storage", by their binding
 * @throws ShaderError if it does not compile
 */
export async function runKernel(
  gpu: Gpu,
  { file, constants, buffers, workgroups = 1 }: BenchKernel,
  library: ShaderLibrary = gpu.shaders,
): Promise<Record<number, ArrayBuffer>> {
  const bindings: Bindings = Object.fromEntries(Object.entries(buffers).map(([at, { type }]) => [at, type]));
  const kernel = await gpu.kernel(file, bindings, constants, library);
  const memory = new GpuMemory(gpu);
  try {
    const made = Object.entries(buffers).map(([at, { type, contents }]) => {
      const usage = type === "uniform" ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      return { binding: Number(at), type, buffer: memory.buffer(`${file} ${at}`, usage, contents) };
    });
    const entries = made.map(({ binding, buffer }) => ({ binding, resource: { buffer } }));
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(kernel.pipeline);
    const group = gpu.device.createBindGroup({ layout: kernel.layout, entries });
    pass.setBindGroup(0, group, kernel.bindings.includes(1) ? [0] : []);
    const [x, y, z] = typeof workgroups === "number" ? [workgroups] : workgroups;
    pass.dispatchWorkgroups(x, y, z);
    pass.end();
    gpu.device.queue.submit([encoder.finish()]);
    const left: Record<number, ArrayBuffer> = {};
    for (const { binding, type, buffer } of made) if (type === "storage") left[binding] = await memory.read(buffer);
    return left;
  } finally {
    memory.free();
  }
}
