import { fileURLToPath } from "node:url";
import { it as base } from "vitest";
import { gpuBackend } from "../../src/engine/gpu/backend.js";
import type { Gpu } from "../../src/engine/gpu/device.js";
import { openDevice } from "../../src/engine/gpu/openDevice.js";
import type { Backend } from "../../src/engine/pipeline.js";
import type { ShaderLibrary } from "../../src/engine/shaders.js";
import { readShaders } from "../../src/host/node/shaderFiles.js";
import { openSoftwareGpu } from "./softwareAdapter.js";

const folder = fileURLToPath(new URL("../../shaders/", import.meta.url));

/** Every WGSL file of the project. */
export const shaders: ShaderLibrary = await readShaders(folder);

/** @param isPlain whether the device has WebGPU's default limits and no features */
type GpuOptions = { library?: ShaderLibrary; isPlain?: boolean };

/**
 * Opens a separate device, for tests that lose it or that need other features, limits or shaders. Close it.
 * @throws Error without a software adapter
 */
export async function openGpu({ library = shaders, isPlain = false }: GpuOptions = {}): Promise<Gpu> {
  const instance = await openSoftwareGpu();
  const requestAdapter = async () => {
    const adapter = (await instance.requestAdapter())!;
    const open = adapter.requestDevice.bind(adapter);
    return Object.defineProperty(adapter, "requestDevice", { value: () => open() });
  };
  const gpu = await openDevice(isPlain ? ({ requestAdapter } as GPU) : instance, library);
  if (!gpu) throw new Error("There is no software adapter.");
  return gpu;
}

/** Opens such a device during a callback. */
export async function withGpu<T>(options: GpuOptions, use: (gpu: Gpu) => Promise<T>): Promise<T> {
  const gpu = await openGpu(options);
  try {
    return await use(gpu);
  } finally {
    gpu.close();
  }
}

/** Returns a backend that does not replace the device after a loss. */
export const backendOn = (gpu: Gpu): Backend => gpuBackend(gpu, async () => undefined);

/**
 * Tests with the fixtures `gpu`, a device on the software adapter, and `backend`, which trains on it. Each worker has one,
 * so it compiles each kernel once.
 */
export const it = base.extend<{ gpu: Gpu; backend: Backend }>({
  gpu: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's dependencies from this pattern
    async ({}, use) => {
      const gpu = await openGpu();
      // Edited kernels would limit the time of every later answer, which a busy machine may exceed.
      Object.defineProperty(gpu, "timeout", { get: () => undefined, set: () => {} });
      await use(gpu);
      gpu.close();
    },
    { scope: "worker" },
  ],
  backend: [({ gpu }, use) => use(backendOn(gpu)), { scope: "worker" }],
});
