import type { AdapterLimits } from "../config.js";

/** What kernels are chosen by. */
export interface AdapterTraits {
  /** Whether the adapter is a CPU that plays a GPU. */
  readonly isSoftware: boolean;
  /** The fewest lanes that a subgroup may have, and the most, where the device has subgroups. */
  readonly subgroupSizes: readonly [least: number, most: number] | undefined;
}

/** What a device is asked for beyond the defaults, as far as the adapter goes. */
export const requestedLimits = [
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
] as const satisfies (keyof AdapterLimits)[];

/** The limits as plain data, which can be sent to another thread. */
export function limitsOf(limits: AdapterLimits): AdapterLimits {
  return Object.fromEntries(requestedLimits.map((name) => [name, limits[name]])) as unknown as AdapterLimits;
}

/** What kernels are chosen by, on a device that has all of the adapter's features that we ask for. */
export function traitsOf(info: GPUAdapterInfo, features: ReadonlySet<string>): AdapterTraits {
  const { subgroupMinSize, subgroupMaxSize } = info;
  const names = [info.vendor, info.architecture, info.device, info.description];
  return {
    isSoftware: info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(names.join(" ")),
    subgroupSizes: features.has("subgroups") ? [subgroupMinSize, subgroupMaxSize] : undefined,
  };
}

/** The model as far as it is told, and the driver. */
export function describeAdapter({ vendor, architecture, device, description }: GPUAdapterInfo): string {
  const model = device || [vendor, architecture].filter(Boolean).join(" ");
  if (!model || !description) return model || description || "GPU";
  return `${model} (${description})`;
}
