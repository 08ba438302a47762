import { arch, availableParallelism, cpus, platform } from "node:os";
import { Gpu } from "../../engine/gpu/device.js";
import type { ShaderLibrary } from "../../engine/shaders.js";

/** A GPU, or one sentence that says why there is none. */
type OpenedGpu = { gpu: Gpu; reason?: undefined } | { gpu?: undefined; reason: string };

/** Toggles of Dawn: timestamps to the nanosecond, where a browser would round them to 100 µs. */
const dawnFlags = ["disable-dawn-features=timestamp_quantization"];

/**
 * Opens this machine's GPU through Dawn. It never throws: a machine where Dawn does not load has no GPU.
 * Close the device and let go of it at the end, or Node does not exit.
 */
export async function openGpu(shaders: ShaderLibrary): Promise<OpenedGpu> {
  // Dawn itself would say so on stderr, in its own words.
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

/** Whether the system's loader finds a shared library. Node loads it for this, and lets go of it as no module of its own. */
function libraryExists(name: string): boolean {
  try {
    process.dlopen({ exports: {} }, name);
    return true;
  } catch (error) {
    return !String(error).includes("cannot open shared object file");
  }
}

/** The machine that a run ran on, as run.json and benchmarks tell it. */
export function describeHost(): string {
  const [processor] = cpus();
  const model = processor?.model.trim() || "unknown processor";
  return `Node ${process.versions.node} on ${platform()} ${arch()}, ${availableParallelism()} cores of ${model}`;
}
