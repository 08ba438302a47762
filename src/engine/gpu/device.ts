import type { AdapterLimits } from "../config.js";
import { DeviceLostError } from "../pipeline.js";
import { type BoundedShader, boundLoops, EndlessLoopError, type LoopPlace } from "./boundLoops.js";
import {
  composeShader,
  locate,
  locateByWords,
  ShaderError,
  type ShaderLibrary,
  type ShaderMessage,
} from "./shaders.js";

/** A compiled kernel and the layout of its one bind group. */
export interface Kernel {
  name: string;
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
  /** The numbers of its bindings, in the group's order. */
  bindings: number[];
  /** Its loops that are bounded, and marked in group 1 when they reach it. */
  loops: LoopPlace[];
  /** Turns after which they are ended. */
  mostTurns: number | undefined;
}

/** A kernel's bindings in group 0: what each number is. Binding 1 is the dispatch, at a dynamic offset. */
export type Bindings = Record<number, GPUBufferBindingType>;

/** A kernel as a pipeline wants it. */
export interface KernelSource {
  /** Its path under shaders/. */
  file: string;
  bindings: Bindings;
  /** Values of the WGSL `override`s; those that it does not declare are none of its. */
  constants: Record<string, number>;
}

/** Of the texture in which a kernel marks the loops that it has ended. */
export const markFormat = "r32uint";

/** What came of compiling: a kernel, unless there are errors. */
interface Compiled {
  kernel: Kernel | undefined;
  messages: ShaderMessage[];
}

/** What kernels are chosen by. */
export interface AdapterTraits {
  /** Whether the adapter is a CPU that plays a GPU. */
  readonly isSoftware: boolean;
  /** Lanes of a subgroup, where the device has subgroups and all are of one size. */
  readonly subgroupSize: number | undefined;
}

/** What decides whether a job fits. */
export interface Adapter extends AdapterTraits {
  readonly limits: AdapterLimits;
}

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

/** Kernels that are kept at most: who edits them compiles many. */
const mostKernels = 128;

/** Devices that do not answer, held for ever: closing one would wait for it, and block every other one. */
const givenUp = new Set<Gpu>();

/** A GPU device with its compiled kernels and a count of the memory that it holds. */
export class Gpu implements Adapter {
  readonly limits: AdapterLimits;
  readonly hasTimestamps: boolean;
  /** Vendor and model, as far as the adapter tells. */
  readonly description: string;
  readonly isSoftware: boolean;
  readonly subgroupSize: number | undefined;
  /**
   * Milliseconds after which a device that does not answer is given up, where kernels run that nobody has tried: a
   * browser may wait for an endless one as long as it takes.
   */
  patience: number | undefined;
  /** Why the device was lost, once it is. */
  lostBecause: string | undefined;
  /** Settles when the device is lost, closed or given up. */
  readonly lost: Promise<void>;
  /** What the device reported to nobody in particular, as sentences. */
  readonly reports: string[] = [];
  /** Buffers that exist. */
  buffersAlive = 0;
  /** In the order of their latest use. */
  readonly #kernels = new Map<string, Promise<Compiled>>();
  #settleLost = () => {};

  private constructor(
    /** Held because Dawn for Node crashes when this is collected before its devices. */
    readonly instance: GPU,
    readonly device: GPUDevice,
    info: GPUAdapterInfo,
    readonly shaders: ShaderLibrary,
  ) {
    this.limits = device.limits;
    this.hasTimestamps = device.features.has("timestamp-query");
    const { isSoftware, subgroupSize } = traitsOf(info, device.features);
    this.isSoftware = isSoftware;
    this.subgroupSize = subgroupSize;
    this.description = describeAdapter(info);
    device.onuncapturederror = (event) => {
      event.preventDefault();
      this.reports.push(describeError(event.error));
    };
    this.lost = new Promise((resolve) => {
      this.#settleLost = resolve;
      void device.lost.then(({ message, reason }) => {
        this.lostBecause ??= message || reason;
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
   * Carries out what the device may refuse without a word: what is asked of it goes on, and reads zeros.
   * @throws Error of one sentence if the device reported something meanwhile
   */
  async heeding<T>(work: () => Promise<T>): Promise<T> {
    const before = this.reports.length;
    const told = () => {
      if (this.reports.length > before) throw new Error(this.reports[before]);
    };
    const result = await work().catch((error) => {
      if (!(error instanceof EndlessLoopError) && !(error instanceof DeviceLostError)) told();
      throw error;
    });
    told();
    return result;
  }

  /**
   * Waits for the GPU, as long as `patience` allows. Counted is the time in which this thread is awake.
   * @throws DeviceLostError if the device is given up
   */
  async answer<T>(work: Promise<T>): Promise<T> {
    if (this.patience === undefined) return work;
    const tick = 250;
    let left = Math.ceil(this.patience / tick);
    let timer: ReturnType<typeof setInterval> | undefined;
    const overdue = new Promise<void>((resolve) => {
      timer = setInterval(() => --left < 0 && resolve(), tick);
    });
    try {
      const [answer] = await Promise.race([work.then((value) => [value]), overdue.then(() => [])]);
      if (left < 0) this.giveUp(`it did not answer within ${this.patience / 1000} s`);
      this.checkAlive();
      return answer as T;
    } finally {
      clearInterval(timer);
    }
  }

  /** Whether the device was left alone with what it works on. */
  get isGivenUp(): boolean {
    return givenUp.has(this);
  }

  /** Leaves the device alone with what it works on. It counts as lost. */
  giveUp(because: string): void {
    if (this.lostBecause !== undefined) return;
    this.lostBecause = because;
    givenUp.add(this);
    this.#settleLost();
  }

  /**
   * Compiles a kernel, or takes it from what was compiled before.
   * @param constants values of the WGSL `override`s
   * @param shaders the library that its text is taken from
   * @param mostTurns where it is on trial: turns after which its loops are ended
   * @throws ShaderError with the file and line of each error
   */
  async kernel(
    name: string,
    bindings: Bindings,
    constants: Record<string, number> = {},
    shaders: ShaderLibrary = this.shaders,
    mostTurns?: number,
  ): Promise<Kernel> {
    const { kernel, messages } = await this.#compiled({ file: name, bindings, constants }, shaders, mostTurns);
    if (kernel) return kernel;
    throw new ShaderError(messages.filter(({ type }) => type === "error"));
  }

  /** What the compiler says of a kernel: errors, warnings and notes, at their file and line. */
  async messages(source: KernelSource, shaders: ShaderLibrary): Promise<ShaderMessage[]> {
    try {
      return (await this.#compiled(source, shaders)).messages;
    } catch (error) {
      if (error instanceof ShaderError) return error.messages;
      throw error;
    }
  }

  #compiled(
    { file, bindings, constants }: KernelSource,
    shaders: ShaderLibrary,
    mostTurns?: number,
  ): Promise<Compiled> {
    const plain = composeShader(shaders, file);
    const composed = mostTurns === undefined ? { ...plain, loops: [] } : boundLoops(plain, mostTurns);
    // Only constants that the module declares may be given, and only they make it another kernel.
    const declared = Object.entries(constants).filter(([constant]) => composed.code.includes(`override ${constant}:`));
    // The text itself, since two libraries may differ in it.
    const key = JSON.stringify([file, bindings, declared, composed.code]);
    const compiled =
      this.#kernels.get(key) ?? this.#compile(file, bindings, composed, Object.fromEntries(declared), mostTurns);
    this.#kernels.delete(key);
    this.#kernels.set(key, compiled);
    compiled.catch(() => this.#kernels.delete(key));
    if (this.#kernels.size > mostKernels) this.#kernels.delete(this.#kernels.keys().next().value!);
    return compiled;
  }

  async #compile(
    name: string,
    bindings: Bindings,
    composed: BoundedShader,
    constants: Record<string, number>,
    mostTurns: number | undefined,
  ): Promise<Compiled> {
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
    const { loops } = composed;
    const bindGroupLayouts = loops.length > 0 ? [layout, this.#markLayout()] : [layout];
    const pipeline = this.device.createComputePipelineAsync({
      label: name,
      layout: this.device.createPipelineLayout({ bindGroupLayouts }),
      compute: { module, entryPoint: "main", constants },
    });
    const invalid = this.device.popErrorScope();
    const [info, made] = await Promise.all([module.getCompilationInfo(), settle(pipeline), invalid]);
    this.checkAlive();
    const messages = locate(info.messages, composed);
    if (!(made instanceof Error)) {
      const numbers = Object.keys(bindings).map(Number);
      const kernel = { name, pipeline: made, layout, bindings: numbers, loops, mostTurns };
      return { kernel, messages };
    }
    const hasErrors = messages.some(({ type }) => type === "error");
    return {
      kernel: undefined,
      messages: hasErrors ? messages : [...messages, locateByWords(made.message, name, composed)],
    };
  }

  #markLayout(): GPUBindGroupLayout {
    const storageTexture = { access: "write-only", format: markFormat } as const;
    return this.device.createBindGroupLayout({
      label: "ended loops",
      entries: [{ binding: 0, visibility: GPUShaderStage.COMPUTE, storageTexture }],
    });
  }
}

function settle<T>(promise: Promise<T>): Promise<T | Error> {
  return promise.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}

/** What kernels are chosen by, on a device that has all of the adapter's features that we ask for. */
export function traitsOf(info: GPUAdapterInfo, features: ReadonlySet<string>): AdapterTraits {
  const { subgroupMinSize, subgroupMaxSize } = info;
  const oneSize = subgroupMinSize === subgroupMaxSize && features.has("subgroups");
  const words = [info.vendor, info.architecture, info.device, info.description];
  return {
    isSoftware: info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(words.join(" ")),
    subgroupSize: oneSize ? subgroupMinSize : undefined,
  };
}

function describeError(error: GPUError): string {
  if (error instanceof GPUOutOfMemoryError) {
    return "The GPU has too little memory for this: take fewer blobs or a smaller picture.";
  }
  return `The GPU refused its work: ${error.message.trim().split("\n")[0].replace(/\.?$/, ".")}`;
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
      await this.gpu.answer(staging.mapAsync(GPUMapMode.READ, 0, bytes));
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
    // As with the device itself: to destroy what a kernel works on is to wait for it.
    if (this.gpu.isGivenUp || !this.#buffers.delete(buffer)) return;
    buffer.destroy();
    this.gpu.buffersAlive--;
  }

  free(): void {
    for (const buffer of this.#buffers) this.release(buffer);
  }
}
