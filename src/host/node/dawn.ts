// Dawn, the WebGPU of Node. This module imports nothing, since the library's package contains it too.

/** Dawn's toggles for timestamps in nanoseconds, which browsers round to 100 µs. */
const dawnFlags = ["disable-dawn-features=timestamp_quantization"];

/** Names of the devices that drivers of GPUs open: those of Linux, NVIDIA, WSL, Mali and Adreno. */
const gpuDevice = /^(renderD|nvidia\d|dxg$|mali\d|kgsl-)/;

/**
 * Loads Dawn, and its constants as globals.
 * @throws if it does not load
 */
export async function loadDawn(): Promise<GPU> {
  const missing = missingForGpu();
  if (missing !== undefined) throw new Error(missing);
  // Without it, drivers print an error of libwayland. There is no Wayland in this folder.
  process.env.XDG_RUNTIME_DIR ??= "/";
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  return create(dawnFlags);
}

/**
 * Returns why Dawn cannot find a GPU here, if it is known. Dawn and the drivers of Linux would print messages of their
 * own. Software adapters are found if an environment variable of the Vulkan loader names them.
 */
export function missingForGpu(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const { VK_DRIVER_FILES, VK_ICD_FILENAMES } = process.env;
  const { existsSync, readdirSync } = process.getBuiltinModule("node:fs");
  const devices = ["/dev", "/dev/dri"].flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  if (!(VK_DRIVER_FILES ?? VK_ICD_FILENAMES) && !devices.some((name) => gpuDevice.test(name))) return "/dev has no GPU";
  try {
    // Node tries to load it as a module, which fails in another way if there is such a library.
    process.dlopen({ exports: {} }, "libvulkan.so.1");
  } catch (error) {
    if (String(error).includes("cannot open shared object file")) {
      return "libvulkan.so.1, the Vulkan loader, is not installed";
    }
  }
  return undefined;
}
