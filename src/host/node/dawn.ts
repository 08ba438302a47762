// Dawn, the WebGPU of Node. This module imports nothing, since the library's package contains it too.

/** Dawn's toggles for timestamps in nanoseconds, which browsers round to 100 µs. */
const dawnFlags = ["disable-dawn-features=timestamp_quantization"];

/**
 * Loads Dawn, and its constants as globals.
 * @throws if it does not load
 */
export async function loadDawn(): Promise<GPU> {
  // Otherwise Dawn prints its own message to stderr.
  if (process.platform === "linux" && !libraryExists("libvulkan.so.1")) {
    throw new Error("libvulkan.so.1, the Vulkan loader, is not installed");
  }
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  return create(dawnFlags);
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
