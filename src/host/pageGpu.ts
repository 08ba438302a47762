import { Gpu } from "../engine/gpu/device.js";
import type { BrowserEngine } from "./browser.js";

let opened: Promise<Gpu | undefined> | undefined;

/**
 * A GPU on the page's own thread, for the small kernels of figures; one for the whole page.
 * @returns undefined where the page trains without one
 */
export async function pageGpu({ kind, shaders }: BrowserEngine): Promise<Gpu | undefined> {
  if (kind === "cpu") return undefined;
  const gpu = await opened;
  if (gpu && gpu.lostBecause === undefined) return gpu;
  opened = Gpu.open(navigator.gpu, shaders).catch(() => undefined);
  return opened;
}
