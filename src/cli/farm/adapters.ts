import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

/** Where the system lists GPUs by their addresses on its bus: those of NVIDIA's driver, and those that can draw. */
const lists = { nvidia: "/proc/driver/nvidia/gpus", drawing: "/sys/class/drm" };

/** Where Vulkan looks for layers that it loads by itself. */
const layerFolders = ["/usr/share", "/usr/local/share", "/etc"].map((folder) =>
  join(folder, "vulkan/implicit_layer.d"),
);
const layer = "VkLayer_MESA_device_select.json";

/** The addresses of this machine's GPUs, such as 0000:41:00.0; of a system that is not Linux none are known. */
export function gpuAddresses(): string[] {
  const drawing = namesIn(lists.drawing)
    .filter((name) => name.startsWith("renderD"))
    .map((name) => basename(realpathSync(join(lists.drawing, name, "device"))));
  return [...new Set([...namesIn(lists.nvidia), ...drawing])].sort();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether Vulkan can be told which of several GPUs to use. */
export const tellsAdapters = () => layerFolders.some((folder) => existsSync(join(folder, layer)));

/**
 * What tells a process which GPU is its own, an environment for each of several. Dawn knows adapters by their names
 * alone, which GPUs of one kind share, so Vulkan's layer of Mesa, which serves every driver, shows it one of them.
 */
export function adapterEnvironments(addresses = gpuAddresses()): Record<string, string>[] {
  if (addresses.length < 2) return [];
  return addresses.map((address) => ({
    DRI_PRIME: `pci-${address.replace(/[:.]/g, "_")}`,
    MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE: "1",
  }));
}
