import type { AdapterLimits } from "../config.js";
import { DeviceLostError } from "../pipeline.js";
import { ShaderError, type ShaderLibrary, type ShaderMessage } from "../shaders.js";
import { type AdapterTraits, describeAdapter, requestedLimits, traitsOf } from "./adapter.js";
import { Compiler } from "./compiler.js";
import type { Kernel, KernelSource } from "./kernel.js";
import { lanesFollowThreads } from "./neighbours.js";
import { type Struct, structOf } from "./structs.js";

const requestedFeatures: GPUFeatureName[] = ["timestamp-query", "subgroups"];

interface DeviceRequirements {
  features: readonly GPUFeatureName[];
  limits: readonly (typeof requestedLimits)[number][];
}

/** Devices that do not answer, held for ever: closing one would wait for it, and block every other one. */
const abandonedDevices = new Set<Gpu>();

/** A GPU device with its compiled kernels and a count of the memory that it holds. */
export class Gpu implements AdapterTraits {
  readonly limits: AdapterLimits;
  readonly hasTimestamps: boolean;
  /** Vendor and model, as far as the adapter tells. */
  readonly description: string;
  readonly isSoftware: boolean;
  readonly subgroupSizes: AdapterTraits["subgroupSizes"];
  /**
   * Milliseconds after which a device that does not answer is given up, where kernels run that nobody has tried: a
   * browser may wait for an endless one as long as it takes.
   */
  timeout: number | undefined;
  /** Why the device was lost, once it is. */
  lostReason: string | undefined;
  /** Settles when the device is lost, closed or given up. */
  readonly lost: Promise<void>;
  /** Buffers that exist. */
  liveBuffers = 0;
  readonly #compiler: Compiler;
  #settleLost = () => {};

  private constructor(
    /** Held because Dawn for Node crashes when this is collected before its devices. */
    readonly instance: GPU,
    readonly device: GPUDevice,
    info: GPUAdapterInfo,
    { isSoftware, subgroupSizes }: AdapterTraits,
    readonly shaders: ShaderLibrary,
  ) {
    this.limits = device.limits;
    this.#compiler = new Compiler(device, shaders, () => this.checkAlive());
    this.hasTimestamps = device.features.has("timestamp-query");
    this.isSoftware = isSoftware;
    this.subgroupSizes = subgroupSizes;
    this.description = describeAdapter(info);
    this.lost = new Promise((resolve) => {
      this.#settleLost = resolve;
      void device.lost.then(({ message, reason }) => {
        this.lostReason ??= message || reason;
        resolve();
      });
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
    { features = requestedFeatures, limits = requestedLimits }: Partial<DeviceRequirements> = {},
  ): Promise<Gpu | undefined> {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) return undefined;
    const requiredLimits = Object.fromEntries(limits.map((name) => [name, adapter.limits[name]]));
    const requiredFeatures = features.filter((feature) => adapter.features.has(feature));
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
    const traits = traitsOf(adapter.info, device.features);
    // A software adapter runs no kernel with subgroups.
    const usesSubgroups = traits.subgroupSizes && !traits.isSoftware;
    const hasLaneOrder = !usesSubgroups || (await lanesFollowThreads(device, shaders).catch(() => false));
    const subgroupSizes = hasLaneOrder ? traits.subgroupSizes : undefined;
    return new Gpu(gpu, device, adapter.info, { ...traits, subgroupSizes }, shaders);
  }

  /** Gives the device back. */
  close(): void {
    this.device.destroy();
  }

  /** @throws DeviceLostError if the device is gone */
  checkAlive(): void {
    if (this.lostReason !== undefined) throw new DeviceLostError(`The GPU was lost: ${this.lostReason}`);
  }

  /**
   * Waits for the GPU, as long as `patience` allows. Counted is the time in which this thread is awake.
   * @throws DeviceLostError if the device is given up
   */
  async answer<T>(work: Promise<T>): Promise<T> {
    if (this.timeout === undefined) return work;
    const tick = 250;
    let ticksLeft = Math.ceil(this.timeout / tick);
    let timer: ReturnType<typeof setInterval> | undefined;
    const overdue = new Promise<void>((resolve) => {
      timer = setInterval(() => --ticksLeft < 0 && resolve(), tick);
    });
    try {
      const [answer] = await Promise.race([work.then((value) => [value]), overdue.then(() => [])]);
      if (ticksLeft < 0) this.abandon(`it did not answer within ${this.timeout / 1000} s`);
      this.checkAlive();
      return answer as T;
    } finally {
      clearInterval(timer);
    }
  }

  /** Whether the device was left alone with what it works on. */
  get isAbandoned(): boolean {
    return abandonedDevices.has(this);
  }

  /** Leaves the device alone with what it works on. It counts as lost. */
  abandon(reason: string): void {
    if (this.lostReason !== undefined) return;
    this.lostReason = reason;
    abandonedDevices.add(this);
    this.#settleLost();
  }

  /**
   * Compiles a kernel, or takes it from what was compiled before.
   * @param constants values of the WGSL `override`s
   * @param shaders the library that its text is taken from
   * @param maxIterations where it is on trial: turns after which its loops are ended
   * @throws ShaderError with the file and line of each error
   */
  async kernel(
    file: string,
    constants: Record<string, number> = {},
    shaders: ShaderLibrary = this.shaders,
    maxIterations?: number,
  ): Promise<Kernel> {
    const { kernel, messages } = await this.#compiler.compile({ file, constants }, shaders, maxIterations);
    if (kernel) return kernel;
    throw new ShaderError(messages.filter(({ type }) => type === "error"));
  }

  /** A struct of the kernels, by its name. */
  struct(name: string): Struct {
    return structOf(this.shaders, name);
  }

  /** What the compiler says of a kernel: errors, warnings and notes, at their file and line. */
  async messages(source: KernelSource, shaders: ShaderLibrary): Promise<ShaderMessage[]> {
    try {
      return (await this.#compiler.compile(source, shaders)).messages;
    } catch (error) {
      if (error instanceof ShaderError) return error.messages;
      throw error;
    }
  }
}
