import type { AdapterLimits } from "../config.js";
import { DeviceLostError } from "../pipeline.js";
import { ShaderError, type ShaderLibrary, type ShaderMessage } from "../shaders.js";
import { type AdapterTraits, describeAdapter, traitsOf } from "./adapter.js";
import { Compiler } from "./compiler.js";
import type { Kernel, KernelSource } from "./kernel.js";

/** Devices that hang, never released: closing one would wait for it and block all others. */
const abandonedDevices = new Set<Gpu>();

/** A GPU device with its compiled kernels and the number of its buffers. */
export class Gpu implements AdapterTraits {
  readonly limits: AdapterLimits;
  readonly hasTimestamps: boolean;
  /** Vendor and model, if the adapter reports them. */
  readonly description: string;
  readonly isSoftware: boolean;
  subgroupSizes: AdapterTraits["subgroupSizes"];
  /**
   * Milliseconds after which a device that does not respond is abandoned. Set for edited kernels: a browser may wait
   * for an endless one indefinitely.
   */
  timeout: number | undefined;
  /** Why the device was lost. */
  lostReason: string | undefined;
  /** Resolves when the device is lost, closed or abandoned. */
  readonly lost: Promise<void>;
  /** Number of buffers that exist. */
  liveBuffers = 0;
  readonly #compiler: Compiler;
  #settleLost = () => {};

  constructor(
    /** Retained because Dawn for Node crashes if it is collected before its devices. */
    readonly instance: GPU,
    readonly device: GPUDevice,
    info: GPUAdapterInfo,
    readonly shaders: ShaderLibrary,
  ) {
    this.limits = device.limits;
    this.#compiler = new Compiler(device, shaders, () => this.checkAlive());
    this.hasTimestamps = device.features.has("timestamp-query");
    const { isSoftware, subgroupSizes } = traitsOf(info, device.features);
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

  /** Destroys the device. */
  close(): void {
    this.device.destroy();
  }

  /** @throws DeviceLostError if the device is lost */
  checkAlive(): void {
    if (this.lostReason !== undefined) throw new DeviceLostError(`The GPU was lost: ${this.lostReason}`);
  }

  /**
   * Waits for the GPU, at most `timeout` milliseconds in which this thread is awake.
   * @throws DeviceLostError if the device is abandoned or lost
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

  /** Whether the device was abandoned with work that it does not finish. */
  get isAbandoned(): boolean {
    return abandonedDevices.has(this);
  }

  /** Abandons the device, which then counts as lost. */
  abandon(reason: string): void {
    if (this.lostReason !== undefined) return;
    this.lostReason = reason;
    abandonedDevices.add(this);
    this.#settleLost();
  }

  /**
   * Returns a compiled kernel, from the cache if possible.
   * @param constants values of the WGSL `override`s
   * @param shaders the library that contains its source
   * @param maxIterations iterations after which loops are ended, for edited kernels
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

  /** Returns the compiler's errors, warnings and notes on a kernel, with file and line. */
  async messages(source: KernelSource, shaders: ShaderLibrary): Promise<ShaderMessage[]> {
    try {
      return (await this.#compiler.compile(source, shaders)).messages;
    } catch (error) {
      if (error instanceof ShaderError) return error.messages;
      throw error;
    }
  }
}
