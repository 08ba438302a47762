import type { Gpu } from "./device.js";
import { runKernel } from "./workbench.js";

const file = "shared/neighbours.wgsl";
const threads = 32;

/**
 * Returns whether the lanes of a subgroup follow the order of `local_invocation_index`, in groups of four, as
 * shaders/binned/6-rasterizeBackwardSubgroup.wgsl needs. WGSL does not guarantee it, so a kernel tests it on the device.
 */
export async function lanesFollowThreads(gpu: Gpu, library = gpu.shaders): Promise<boolean> {
  const { neighbours } = await runKernel(gpu, { file, buffers: { neighbours: 8 * threads } }, library);
  return new Uint32Array(neighbours).every((found, at) => found === ((at >> 1) ^ (at % 2 === 0 ? 1 : 2)));
}
