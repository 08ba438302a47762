// Dawn, the WebGPU of Node. This module imports nothing, since the library's package contains it too.

/** Dawn's toggles for timestamps in nanoseconds, which browsers round to 100 µs. */
const dawnFlags = ["disable-dawn-features=timestamp_quantization"];

/**
 * Loads Dawn, and its constants as globals.
 * @throws if it does not load
 */
export async function loadDawn(): Promise<GPU> {
  // Otherwise Dawn prints its own message to stderr.
  if (!hasLoader()) {
    throw new Error("libvulkan.so.1, the Vulkan loader, is not installed");
  }
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  return create(dawnFlags);
}

/** Returns whether the system has the library that Dawn needs to find GPUs. */
export function hasLoader(): boolean {
  if (process.platform !== "linux") return true;
  try {
    // Node tries to load it as a module, which fails in another way if there is such a library.
    process.dlopen({ exports: {} }, "libvulkan.so.1");
    return true;
  } catch (error) {
    return !String(error).includes("cannot open shared object file");
  }
}
