import { constants } from "node:os";
import { delimiter } from "node:path";
import { hasPackagedChromium, unpackChromium } from "./chromium.js";
import { missingLibraries, missingLibrariesSentence } from "./sharedLibraries.js";

/**
 * What a child process needs in its environment so that Dawn finds the software adapter: SwiftShader on Linux, nothing
 * elsewhere, where the system's own adapter serves.
 */
export function softwareAdapterEnvironment(): Record<string, string> {
  if (!hasPackagedChromium) return {};
  const { folder, driver } = unpackChromium();
  const search = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
  // The Vulkan loader knows the driver's variable by an older name too.
  return { VK_DRIVER_FILES: driver, VK_ICD_FILENAMES: driver, LD_LIBRARY_PATH: search };
}

/**
 * Opens WebGPU in this process, as `navigator.gpu` in a browser, on the software adapter. It also defines WebGPU's
 * globals (GPUBufferUsage and so on). Call it before anything else imports the `webgpu` package, and let go of what it
 * returns: while a device is busy and referred to, Node does not exit. So keep it in a variable of the test, never of
 * the module, and destroy the devices.
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
 * A toggle of Dawn. With it the clearing of workgroup memory is left to the driver, and SwiftShader writes that out word
 * by word: a kernel with 10 kB of it took 1.2 s to compile in place of 0.15.
 */
export const fastCompileFlag = "disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension";

/** While Dawn for Node waits it asks by setImmediate without a pause, and takes a core from the software adapter. */
function throttleSetImmediate(): void {
  globalThis.setImmediate = ((callback: () => void, ...args: []) =>
    setTimeout(callback, 1, ...args)) as unknown as typeof setImmediate;
}

/**
 * Loads a shared library for good, so that Dawn, which asks for it by name alone, finds it although it is in no folder
 * of the system: changing LD_LIBRARY_PATH would come too late for a running process.
 */
function loadPermanently(library: string): void {
  const RTLD_NODELETE = 0x1000;
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
  } catch {
    // It is no Node module, says Node once it is loaded.
  }
}
