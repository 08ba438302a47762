import { arch, availableParallelism, cpus, platform } from "node:os";
import type { Gpu } from "../../engine/gpu/device.js";
import { openDevice } from "../../engine/gpu/openDevice.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { loadDawn, missingForGpu } from "./dawn.js";
import { ensurePackages } from "./install.js";

/** A GPU, or the reason why there is none, as a sentence. */
type OpenedGpu = { gpu: Gpu; reason?: undefined } | { gpu?: undefined; reason: string };

/**
 * Opens the GPU of this machine with Dawn, which is installed on first use. A machine where Dawn does not load has no GPU.
 * Node exits only after the device is closed and unreferenced.
 * @throws Error if Dawn is not installed and cannot be, since the CPU must not replace a GPU for that reason
 */
export async function openGpu(shaders: ShaderLibrary): Promise<OpenedGpu> {
  if (missingForGpu() === undefined) installDawn();
  try {
    const gpu = await openDevice(await loadDawn(), shaders);
    return gpu ? { gpu } : { reason: "No GPU adapter was found." };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") throw error;
    const [message] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { reason: `WebGPU cannot be opened here: ${message.replace(/\.*$/, ".")}` };
  }
}

function installDawn(): void {
  try {
    ensurePackages(["webgpu"]);
  } catch (error) {
    throw new Error(`${(error as Error).message} The GPU needs it; --pipeline cpu trains without it.`);
  }
}

/** Returns the description of this machine for run.json and benchmarks. */
export function describeHost(): string {
  const [processor] = cpus();
  const model = processor?.model.trim() || "unknown processor";
  return `Node ${process.versions.node} on ${platform()} ${arch()}, ${availableParallelism()} cores of ${model}`;
}
