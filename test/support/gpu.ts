import { fileURLToPath } from "node:url";
import { it as base } from "vitest";
import { gpuBackend } from "../../src/engine/gpu/backend.js";
import { Gpu } from "../../src/engine/gpu/device.js";
import type { Backend } from "../../src/engine/pipeline.js";
import type { ShaderLibrary } from "../../src/engine/shaders.js";
import { readShaders } from "../../src/host/node/shaderFiles.js";
import { openSoftwareGpu } from "./softwareAdapter.js";

const folder = fileURLToPath(new URL("../../shaders/", import.meta.url));

/** Every WGSL file of the project. */
export const shaders: ShaderLibrary = await readShaders(folder);

type GpuOptions = NonNullable<Parameters<typeof Gpu.open>[2]> & { library?: ShaderLibrary };

/**
 * Opens a device of a test's own: one that it loses, or that has other features, limits or shaders. Close it.
 * @throws Error where there is no software adapter
 */
export async function openGpu({ library = shaders, ...options }: GpuOptions = {}): Promise<Gpu> {
  const gpu = await Gpu.open(await openSoftwareGpu(), library, options);
  if (!gpu) throw new Error("There is no software adapter.");
  return gpu;
}

/** Such a device, for the length of one use. */
export async function withGpu<T>(options: GpuOptions, use: (gpu: Gpu) => Promise<T>): Promise<T> {
  const gpu = await openGpu(options);
  try {
    return await use(gpu);
  } finally {
    gpu.close();
  }
}

/** What trains on a device, and on no other when that one is lost. */
export const backendOn = (gpu: Gpu): Backend => gpuBackend(gpu, async () => undefined);

/**
 * Tests that are given `gpu`, a device on the software adapter, and `backend`, which trains on it: one a worker, so that
 * each kernel is compiled once.
 */
export const it = base.extend<{ gpu: Gpu; backend: Backend }>({
  gpu: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from this pattern
    async ({}, use) => {
      const gpu = await openGpu();
      await use(gpu);
      gpu.close();
    },
    { scope: "worker" },
  ],
  backend: [({ gpu }, use) => use(backendOn(gpu)), { scope: "worker" }],
});
