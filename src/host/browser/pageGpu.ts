import type { Gpu } from "../../engine/gpu/device.js";
import type { BrowserEngine } from "./engine.js";

let opened: Promise<Gpu | undefined> | undefined;

/**
 * Returns the page's own GPU device, for the small kernels of figures. All callers share it.
 * @returns undefined if the page has no GPU
 */
export async function pageGpu({ kind, shaders }: BrowserEngine): Promise<Gpu | undefined> {
  if (kind === "cpu") return undefined;
  const open = async () => {
    const { openDevice } = await import("./gpuOnPage.js");
    return openDevice(navigator.gpu, shaders).catch(() => undefined);
  };
  opened ??= open();
  const previous = opened;
  const gpu = await previous;
  if (gpu && gpu.lostReason === undefined) return gpu;
  // If several figures wait for a new device, the first one opens it.
  if (opened === previous) opened = gpu && open();
  return opened;
}
