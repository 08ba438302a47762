import type { ShaderLibrary } from "../shaders.js";
import { limitsOf } from "./adapter.js";
import { Gpu } from "./device.js";
import { runKernel } from "./workbench.js";

const requestedFeatures: GPUFeatureName[] = ["timestamp-query", "subgroups"];

/** Opens a device on the fastest adapter; undefined if there is none. */
export async function openDevice(instance: GPU, shaders: ShaderLibrary): Promise<Gpu | undefined> {
  const adapter = await instance.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) return undefined;
  const requiredFeatures = requestedFeatures.filter((feature) => adapter.features.has(feature));
  const device = await adapter.requestDevice({ requiredLimits: { ...limitsOf(adapter.limits) }, requiredFeatures });
  const gpu = new Gpu(instance, device, adapter.info, shaders);
  // Software adapters fail with subgroups.
  const usesSubgroups = gpu.subgroupSizes && !gpu.isSoftware;
  if (usesSubgroups && !(await lanesFollowThreads(gpu).catch(() => false))) gpu.subgroupSizes = undefined;
  return gpu;
}

const file = "shared/neighbours.wgsl";
const threads = 32;

/**
 * Returns whether the lanes of a subgroup follow the order of `local_invocation_index`, in groups of four, as
 * shaders/binned/6-rasterizeBackwardSubgroup.wgsl needs. WGSL does not guarantee it, so a kernel tests it on the device.
 */
async function lanesFollowThreads(gpu: Gpu): Promise<boolean> {
  const { neighbours } = await runKernel(gpu, { file, buffers: { neighbours: 8 * threads } });
  return new Uint32Array(neighbours).every((found, at) => found === ((at >> 1) ^ (at % 2 === 0 ? 1 : 2)));
}
