import { arch, availableParallelism, cpus, platform } from "node:os";
import { Gpu } from "../../engine/gpu/device.js";
import type { ShaderLibrary } from "../../engine/shaders.js";

/** A GPU, or the reason why there is none, as a sentence. */
type OpenedGpu = { gpu: Gpu; reason?: undefined } | { gpu?: undefined; reason: string };

/** Dawn's toggles for timestamps in nanoseconds, which browsers round to 100 µs. */
const dawnFlags = ["disable-dawn-features=timestamp_quantization"];

/**
 * Opens the GPU of this machine with Dawn. It never throws: a machine where Dawn does not load has no GPU. Node exits
 * only after the device is closed and unreferenced.
 */
export async function openGpu(shaders: ShaderLibrary): Promise<OpenedGpu> {
  // Otherwise Dawn prints its own message to stderr.
  if (platform() === "linux" && !libraryExists("libvulkan.so.1")) {
    return { reason: "No GPU can be used, since libvulkan.so.1, the Vulkan loader, is not installed." };
  }
  try {
    const { create, globals } = await import("webgpu");
    Object.assign(globalThis, globals);
    const gpu = await Gpu.open(create(dawnFlags), shaders);
    return gpu ? { gpu } : { reason: "No GPU adapter was found." };
  } catch (error) {
    const [message] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { reason: `WebGPU cannot be opened here: ${message.replace(/\.*$/, ".")}` };
  }
}

/** Returns whether the system finds a shared library. Node tries to load it as a module, which fails in another way. */
function libraryExists(name: string): boolean {
  try {
    process.dlopen({ exports: {} }, name);
    return true;
  } catch (error) {
    return !String(error).includes("cannot open shared object file");
  }
}

/** Returns the description of this machine for run.json and benchmarks. */
export function describeHost(): string {
  const [processor] = cpus();
  const model = processor?.model.trim() || "unknown processor";
  return `Node ${process.versions.node} on ${platform()} ${arch()}, ${availableParallelism()} cores of ${model}`;
}
