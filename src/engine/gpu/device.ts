import type { AdapterLimits } from "../config.js";
import { DeviceLostError } from "../pipeline.js";
import { type ComposedShader, composeShader, locate, ShaderError, type ShaderLibrary } from "./shaders.js";

/** A compiled kernel and the layout of its one bind group. */
export interface Kernel {
  name: string;
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
  /** The numbers of its bindings, in the group's order. */
  bindings: number[];
}

/** A kernel's bindings in group 0: what each number is. Binding 1 is the dispatch, at a dynamic offset. */
export type Bindings = Record<number, GPUBufferBindingType>;

const wantedLimits = [
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
] as const satisfies (keyof AdapterLimits)[];

/** The limits as plain data, which can be sent to another thread. */
export function limitsOf(limits: AdapterLimits): AdapterLimits {
  return Object.fromEntries(wantedLimits.map((name) => [name, limits[name]])) as unknown as AdapterLimits;
}

const wantedFeatures: GPUFeatureName[] = ["timestamp-query", "subgroups"];

interface Wanted {
  features: readonly GPUFeatureName[];
  limits: readonly (typeof wantedLimits)[number][];
}

/** A GPU device with its compiled kernels and a count of the memory that it holds. */
export class Gpu {
  readonly limits: AdapterLimits;
  readonly hasTimestamps: boolean;
  /** Vendor and model, as far as the adapter tells. */
  readonly description: string;
  /** Whether the adapter is a CPU that plays a GPU. */
  readonly isSoftware: boolean;
  /** Lanes of a subgroup, where the device has subgroups and all are of one size. */
  readonly subgroupSize: number | undefined;
  /** Why the device was lost, once it is. */
  lostBecause: string | undefined;
  /** Settles when the device is lost or closed. */
  readonly lost: Promise<void>;
  /** Buffers that exist. */
  buffersAlive = 0;
  readonly #kernels = new Map<string, Promise<Kernel>>();
  readonly #composed = new Map<string, ComposedShader>();

  private constructor(
    /** Held because Dawn for Node crashes when this is collected before its devices. */
    readonly instance: GPU,
    readonly device: GPUDevice,
    info: GPUAdapterInfo,
    readonly shaders: ShaderLibrary,
  ) {
    this.limits = device.limits;
    this.hasTimestamps = device.features.has("timestamp-query");
    const { subgroupMinSize, subgroupMaxSize } = info;
    const oneSize = subgroupMinSize === subgroupMaxSize && device.features.has("subgroups");
    this.subgroupSize = oneSize ? subgroupMinSize : undefined;
    this.description = describeAdapter(info);
    const words = [info.vendor, info.architecture, info.device, info.description];
    this.isSoftware =
      info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(words.join(" "));
    this.lost = device.lost.then(({ message, reason }) => {
      this.lostBecause = message || reason;
    });
  }

  /**
   * Opens the fastest adapter.
   * @param options what to ask for beyond WebGPU's defaults: features, where the adapter has them, and limits, as far as
   * it goes
   * @returns undefined where there is no adapter
   */
  static async open(
    gpu: GPU,
    shaders: ShaderLibrary,
    { features = wantedFeatures, limits = wantedLimits }: Partial<Wanted> = {},
  ): Promise<Gpu | undefined> {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) return undefined;
    const requiredLimits = Object.fromEntries(limits.map((name) => [name, adapter.limits[name]]));
    const requiredFeatures = features.filter((feature) => adapter.features.has(feature));
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
    return new Gpu(gpu, device, adapter.info, shaders);
  }

  /** Gives the device back. */
  close(): void {
    this.device.destroy();
  }

  /** @throws DeviceLostError if the device is gone */
  checkAlive(): void {
    if (this.lostBecause !== undefined) throw new DeviceLostError(`The GPU was lost: ${this.lostBecause}`);
  }

  /**
   * Compiles a kernel, or takes it from what was compiled before.
   * @param constants values of the WGSL `override`s
   * @throws ShaderError with the file and line of each error
   */
  kernel(name: string, bindings: Bindings, constants: Record<string, number> = {}): Promise<Kernel> {
    const composed = this.#compose(name);
    // Only constants that the module declares may be given, and only they make it another kernel.
    const declared = Object.entries(constants).filter(([constant]) => composed.code.includes(`override ${constant}:`));
    const key = JSON.stringify([name, bindings, declared]);
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      kernel = this.#compile(name, bindings, composed, Object.fromEntries(declared));
      this.#kernels.set(key, kernel);
      kernel.catch(() => this.#kernels.delete(key));
    }
    return kernel;
  }

  #compose(name: string): ComposedShader {
    let composed = this.#composed.get(name);
    if (!composed) {
      composed = composeShader(this.shaders, name);
      this.#composed.set(name, composed);
    }
    return composed;
  }

  async #compile(
    name: string,
    bindings: Bindings,
    composed: ComposedShader,
    constants: Record<string, number>,
  ): Promise<Kernel> {
    this.device.pushErrorScope("validation");
    const module = this.device.createShaderModule({ label: name, code: composed.code });
    const layout = this.device.createBindGroupLayout({
      label: name,
      entries: Object.entries(bindings).map(([binding, type]) => ({
        binding: Number(binding),
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type, hasDynamicOffset: binding === "1" },
      })),
    });
    const pipeline = this.device.createComputePipelineAsync({
      label: name,
      layout: this.device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: "main", constants },
    });
    const invalid = this.device.popErrorScope();
    const [{ messages }, compiled] = await Promise.all([module.getCompilationInfo(), settle(pipeline), invalid]);
    this.checkAlive();
    const errors = locate(messages, composed).filter(({ type }) => type === "error");
    if (errors.length > 0) throw new ShaderError(errors);
    if (compiled instanceof Error) {
      throw new ShaderError([{ file: name, line: 1, column: 1, type: "error", text: compiled.message }]);
    }
    return { name, pipeline: compiled, layout, bindings: Object.keys(bindings).map(Number) };
  }
}

function settle<T>(promise: Promise<T>): Promise<T | Error> {
  return promise.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}

/** The model as far as it is told, and the driver. */
function describeAdapter({ vendor, architecture, device, description }: GPUAdapterInfo): string {
  const model = device || [vendor, architecture].filter(Boolean).join(" ");
  if (!model || !description) return model || description || "GPU";
  return `${model} (${description})`;
}

/** Owns the buffers of one job. Freeing it frees them all. */
export class GpuMemory {
  readonly #buffers = new Set<GPUBuffer>();

  constructor(readonly gpu: Gpu) {}

  /** A zeroed buffer, or one that holds `data`. */
  buffer(label: string, usage: GPUBufferUsageFlags, contents: number | ArrayBufferView): GPUBuffer {
    const bytes = typeof contents === "number" ? contents : contents.byteLength;
    const size = Math.max(16, 4 * Math.ceil(bytes / 4));
    const buffer = this.gpu.device.createBuffer({ label, usage: usage | GPUBufferUsage.COPY_DST, size });
    this.#buffers.add(buffer);
    this.gpu.buffersAlive++;
    if (typeof contents !== "number") {
      const { buffer: source, byteOffset, byteLength } = contents;
      this.gpu.device.queue.writeBuffer(buffer, 0, source as ArrayBuffer, byteOffset, byteLength);
    }
    return buffer;
  }

  /** Copies a buffer to the CPU, behind all work submitted so far. */
  async read(source: GPUBuffer, bytes: number = source.size): Promise<ArrayBuffer> {
    const staging = this.buffer("readback", GPUBufferUsage.MAP_READ, bytes);
    try {
      const encoder = this.gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(source, 0, staging, 0, bytes);
      this.gpu.device.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ, 0, bytes);
      return staging.getMappedRange(0, bytes).slice(0);
    } finally {
      this.release(staging);
    }
  }

  /** Bytes of the buffers that exist, by label. */
  allocated(): Record<string, number> {
    const bytes: Record<string, number> = {};
    for (const { label, size } of this.#buffers) bytes[label] = (bytes[label] ?? 0) + size;
    return bytes;
  }

  release(buffer: GPUBuffer): void {
    if (!this.#buffers.delete(buffer)) return;
    buffer.destroy();
    this.gpu.buffersAlive--;
  }

  free(): void {
    for (const buffer of this.#buffers) this.release(buffer);
  }
}
