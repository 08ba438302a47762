import { Gpu } from "../../engine/gpu/device.js";
import type { BrowserEngine } from "./engine.js";

let opened: Promise<Gpu | undefined> | undefined;

/**
 * A GPU on the page's own thread, for the small kernels of figures; one for the whole page.
 * @returns undefined where the page trains without one
 */
export async function pageGpu({ kind, shaders }: BrowserEngine): Promise<Gpu | undefined> {
  if (kind === "cpu") return undefined;
  const open = () => Gpu.open(navigator.gpu, shaders).catch(() => undefined);
  opened ??= open();
  const before = opened;
  const gpu = await before;
  if (gpu && gpu.lostBecause === undefined) return gpu;
  // Of several figures that come here, the first one opens another.
  if (opened === before) opened = gpu && open();
  return opened;
}
