import { type AdapterTraits, traitsOf } from "../../engine/gpu/adapter.js";

/** Returns the adapter traits that select kernel variants, or undefined if the browser has no WebGPU adapter. */
export async function adapterTraits(): Promise<AdapterTraits | undefined> {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
  return adapter ? traitsOf(adapter.info, adapter.features) : undefined;
}
