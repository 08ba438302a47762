import { type AdapterTraits, traitsOf } from "../../engine/gpu/adapter.js";

/** Returns what kernel variants are chosen by in this browser, or undefined if it has no WebGPU adapter. */
export async function adapterTraits(): Promise<AdapterTraits | undefined> {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
  return adapter ? traitsOf(adapter.info, adapter.features) : undefined;
}
