import type { ShaderLibrary } from "../shaders.js";
import type { Gpu } from "./device.js";
import { bind, dispatchOffsets } from "./kernel.js";
import { GpuMemory } from "./memory.js";

/** A single kernel with its own buffers. */
export interface BenchKernel {
  /** Its path under shaders/; its entry point is `main`. */
  file: string;
  /** Values of the WGSL `override`s. */
  constants?: Record<string, number>;
  /**
   * Its buffers by their names in WGSL: a size in zeroed bytes, or contents. Buffers that it does not use are not
   * created.
   */
  buffers: Record<string, number | ArrayBufferView>;
  /** Default 1. */
  workgroups?: number | [x: number, y?: number, z?: number];
}

/**
 * Runs a kernel once.
 * @param library the library that contains it
 * @returns the contents of its writable buffers
 * @throws ShaderError if it does not compile, and Error if the device reports one
 */
export async function runKernel(
  gpu: Gpu,
  { file, constants, buffers, workgroups = 1 }: BenchKernel,
  library: ShaderLibrary = gpu.shaders,
): Promise<Record<string, ArrayBuffer>> {
  const kernel = await gpu.kernel(file, constants, library);
  const memory = new GpuMemory(gpu);
  const createdBuffers = new Map<string, GPUBuffer>();
  const submit = () => {
    const group = bind(gpu.device, kernel, (name) => {
      if (!(name in buffers)) return undefined;
      const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const buffer = memory.buffer(`${file} ${name}`, usage, buffers[name]);
      createdBuffers.set(name, buffer);
      return { buffer };
    });
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, group, dispatchOffsets(kernel, 0));
    const [x, y, z] = typeof workgroups === "number" ? [workgroups] : workgroups;
    pass.dispatchWorkgroups(x, y, z);
    pass.end();
    gpu.device.queue.submit([encoder.finish()]);
  };
  try {
    return await memory.errors.report(async () => {
      memory.errors.within(submit);
      const outputs: Record<string, ArrayBuffer> = {};
      for (const { name, access } of kernel.bindings) {
        if (access === "read_write") outputs[name] = await memory.read(createdBuffers.get(name)!);
      }
      return outputs;
    });
  } finally {
    memory.free();
  }
}
