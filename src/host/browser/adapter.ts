import { type AdapterTraits, traitsOf } from "../../engine/gpu/adapter.js";

/** What kernels are chosen by in this browser; undefined where it has no adapter. */
export async function adapterTraits(): Promise<AdapterTraits | undefined> {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
  return adapter ? traitsOf(adapter.info, adapter.features) : undefined;
}
