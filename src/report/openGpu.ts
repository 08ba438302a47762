import { gpuBackend } from "../engine/gpu/backend.js";
import { Gpu } from "../engine/gpu/device.js";
import type { ShaderLibrary } from "../engine/shaders.js";
import type { OpenEngine } from "./rerun.js";

/**
 * Returns a function that opens the GPU, for pages that have no workers and so no CPU engine.
 * @param readShaders returns the sources of the kernels
 */
export function openGpu(readShaders: () => Promise<ShaderLibrary>): OpenEngine {
  return async () => {
    const shaders = await readShaders();
    const gpu = navigator.gpu && (await Gpu.open(navigator.gpu, shaders));
    const fallbackReason = navigator.gpu
      ? "This browser has WebGPU, but no adapter for it."
      : "This browser has no WebGPU.";
    if (!gpu) {
      const backend = () => {
        throw new Error(fallbackReason);
      };
      return { kind: "cpu", description: "no GPU", fallbackReason, backend };
    }
    const backend = gpuBackend(gpu, () => Gpu.open(navigator.gpu, shaders));
    return { kind: gpu.isSoftware ? "software" : "gpu", description: backend.description, backend: () => backend };
  };
}
