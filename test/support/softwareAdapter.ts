import { constants } from "node:os";
import { delimiter } from "node:path";
import { hasPackagedChromium, unpackChromium } from "./chromium.js";
import { missingLibraries, missingLibrariesSentence } from "./sharedLibraries.js";

/**
 * Returns the environment in which Dawn finds the software adapter in a child process: SwiftShader on Linux, and nothing
 * elsewhere, where tests use the system's adapter.
 */
export function softwareAdapterEnvironment(): Record<string, string> {
  if (!hasPackagedChromium) return {};
  const { folder, driver } = unpackChromium();
  const search = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
  // Older Vulkan loaders read the second variable.
  return { VK_DRIVER_FILES: driver, VK_ICD_FILENAMES: driver, LD_LIBRARY_PATH: search };
}

/**
 * Opens WebGPU in this process on the software adapter, and returns it as `navigator.gpu` in a browser. It also defines
 * WebGPU's globals (GPUBufferUsage and so on). Call it before anything else imports the `webgpu` package. Node does not
 * exit while a device is busy and referenced, so keep the result in a variable of the test, and destroy the devices.
 */
export async function openSoftwareGpu(): Promise<GPU> {
  if (hasPackagedChromium) {
    const { folder, driver } = unpackChromium();
    const missing = missingLibraries(`${folder}/libvk_swiftshader.so`);
    if (missing.length > 0) throw new Error(missingLibrariesSentence("The software adapter", missing));
    process.env.VK_DRIVER_FILES = process.env.VK_ICD_FILENAMES = driver;
    loadPermanently(`${folder}/libvulkan.so.1`);
  }
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  throttleSetImmediate();
  return create([fastCompileFlag]);
}

/**
 * A toggle of Dawn. With it, the driver clears workgroup memory, which SwiftShader does with one store per word: a kernel
 * with 10 kB of it took 1.2 s to compile instead of 0.15 s.
 */
export const fastCompileFlag = "disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension";

/** Dawn for Node polls with setImmediate without a pause, which takes a core from the software adapter. */
function throttleSetImmediate(): void {
  globalThis.setImmediate = ((callback: () => void, ...args: []) =>
    setTimeout(callback, 1, ...args)) as unknown as typeof setImmediate;
}

/**
 * Loads a shared library permanently, so that Dawn finds it by name although it is not in a folder of the system. A
 * running process ignores changes of LD_LIBRARY_PATH.
 */
function loadPermanently(library: string): void {
  const RTLD_NODELETE = 0x1000;
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
  } catch {
    // Node throws after loading it, since it is not a Node module.
  }
}
