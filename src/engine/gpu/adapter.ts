import { type AdapterLimits, requestedLimits } from "../config.js";

/** Properties of an adapter that decide which kernels it runs. */
export interface AdapterTraits {
  /** Whether it is a software adapter. */
  readonly isSoftware: boolean;
  /** The minimum and maximum size of a subgroup; undefined without subgroups. */
  readonly subgroupSizes: readonly [min: number, max: number] | undefined;
}

/** Returns the limits as plain data, which can be sent to another thread. */
export function limitsOf(limits: AdapterLimits): AdapterLimits {
  return Object.fromEntries(requestedLimits.map((name) => [name, limits[name]])) as unknown as AdapterLimits;
}

/** Returns the traits of an adapter with these features enabled. */
export function traitsOf(info: GPUAdapterInfo, features: ReadonlySet<string>): AdapterTraits {
  const { subgroupMinSize, subgroupMaxSize } = info;
  const names = [info.vendor, info.architecture, info.device, info.description];
  return {
    isSoftware: info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(names.join(" ")),
    subgroupSizes: features.has("subgroups") ? [subgroupMinSize, subgroupMaxSize] : undefined,
  };
}

/** Returns the model, if the adapter reports it, and the driver. */
export function describeAdapter({ vendor, architecture, device, description }: GPUAdapterInfo): string {
  // In wgpu, vendor and device are PCI ids.
  const isName = (text: string) => /\D/.test(text);
  const model = [device].find(isName) ?? [vendor, architecture].filter(isName).join(" ");
  if (!model || !description) return model || description || "GPU";
  return `${model} (${description})`;
}
