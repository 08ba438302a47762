import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import type { Rendering } from "../pipeline.js";
import type { ShaderLibrary } from "../shaders.js";
import type { Gpu } from "./device.js";
import { DeviceSerialQueue } from "./deviceSerialQueue.js";
import { describeError } from "./errorScopes.js";
import type { Kernel, KernelSource } from "./kernel.js";
import { GpuMemory } from "./memory.js";
import type { Pace } from "./pace.js";
import { type Dispatch, type Stages, Submitter } from "./submitter.js";
import { type DispatchRange, dispatchStride, jobUniform } from "./uniforms.js";

/** How kernels are compiled. */
export interface CompileOptions {
  /** The library that they come from, if that is not the device's own. */
  shaders?: ShaderLibrary | undefined;
  /** Where they are on trial: turns after which their loops are ended. */
  maxIterations?: number | undefined;
  /** Whether some blobs are frozen. */
  hasFrozenBlobs?: boolean;
}

/** What a renderer is opened for, and by which kernels. */
export interface GpuDrawJob extends CompileOptions {
  config: TrainConfig;
  /** Of the image that the blobs learned. */
  size: Size;
  parameters: Float32Array;
}

/** Compiles kernels, by their names. */
export async function compileAll<Sources extends Partial<Record<string, KernelSource>>>(
  gpu: Gpu,
  sources: Sources,
  { shaders, maxIterations, hasFrozenBlobs }: CompileOptions,
): Promise<{ [Name in keyof Sources]: Kernel }> {
  const kernels = Object.entries(sources as Record<string, KernelSource>).map(async ([name, { file, constants }]) => [
    name,
    await gpu.kernel(file, { ...constants, FREEZES: Number(hasFrozenBlobs ?? false) }, shaders, maxIterations),
  ]);
  return Object.fromEntries(await Promise.all(kernels)) as { [Name in keyof Sources]: Kernel };
}

/** Submits should take about this many milliseconds: short for the browser, long against the cost of a submit. */
const targetSubmitTime = 25;
/** Steps of a submit at most, and its shares: up to two a step and one for its record, and some for steps that are cut. */
export const maxStepsPerSubmit = 256;
const maxRanges = 3 * maxStepsPerSubmit + 4;

/** Draws the blobs of a renderer at any size, by the kernels of a pipeline. */
export interface Drawing {
  render(size: Size): Promise<Rendering>;
}

/** Blobs on a GPU that can be drawn, and no more: their buffers, submits that stay short, and readbacks. */
export class GpuRenderer<D extends Drawing = Drawing> {
  readonly description: string;
  readonly memory: GpuMemory;
  /** Buffers by their names in WGSL: see shaders/shared/. */
  readonly buffers = new Map<string, GPUBuffer>();
  /** Tiles that a submit may hold, adapted by measurement. */
  tilesPerSubmit = 64;
  /** The step at which the schedule ends. */
  protected horizon: number;
  protected readonly submitter: Submitter;
  readonly #queue: DeviceSerialQueue;

  readonly drawing: D;

  constructor(
    readonly gpu: Gpu,
    readonly config: TrainConfig,
    /** Width and height of the tiles. */
    readonly tile: [number, number],
    /** Of the image that the blobs learned. */
    readonly image: Size,
    parameters: Float32Array,
    drawing: (renderer: GpuRenderer) => D,
    public step = 0,
  ) {
    this.memory = new GpuMemory(gpu);
    this.description = gpu.description;
    this.horizon = config.steps;
    this.add("job", jobUniform(gpu.shaders, config, image), GPUBufferUsage.UNIFORM);
    this.add("dispatch", dispatchStride * maxRanges, GPUBufferUsage.UNIFORM);
    this.add("parameters", parameters);
    this.submitter = new Submitter(this.memory, config, this.buffers);
    this.#queue = new DeviceSerialQueue(
      gpu,
      this.memory.errors,
      () => this.settle(),
      () => this.submitter.checkLoops(),
    );
    this.drawing = drawing(this);
  }

  /** Adds a buffer: zeroed bytes, or contents. */
  add(
    name: string,
    contents: number | ArrayBufferView,
    usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
  ): void {
    this.buffers.set(name, this.memory.buffer(name, usage, contents));
  }

  /** Makes a renderer or a pipeline, or fails with one sentence where memory does not suffice. */
  static async allocate<T extends GpuRenderer>(create: () => T): Promise<T> {
    const renderer = create();
    const error = await renderer.memory.errors.takeFirst();
    if (!error) return renderer;
    await renderer.free();
    const { config, image } = renderer;
    throw new Error(describeError(error, `${config.blobs} blobs on ${image.width}x${image.height} pixels`));
  }

  render(size: Size): Promise<Rendering> {
    return this.drawing.render(size);
  }

  async renderTimes(size: Size): Promise<Record<string, number> | undefined> {
    if (!this.submitter.canTime) return undefined;
    // The three are asked for together, so that nothing else is timed.
    const started = this.enqueue(async () => this.submitter.startTiming());
    const rendered = this.render(size);
    const read = this.enqueue(() => this.submitter.stopTiming());
    const [, , times] = await Promise.all([started, rendered, read]);
    return times;
  }

  allocated(): Promise<Record<string, number>> {
    return this.enqueue(async () => this.memory.allocated());
  }

  free(): Promise<void> {
    return this.#queue.close(() => {
      this.submitter.free();
      this.memory.free();
    });
  }

  /** One submit: dispatches in their order, and then stages that are timed. */
  submit(ranges: DispatchRange[], dispatches: Dispatch[], timed: Stages = {}): void {
    this.submitter.submit(ranges, dispatches, this.horizon, timed);
  }

  /** Called when some buffers have been replaced. */
  rebind(): void {
    this.submitter.rebind();
  }

  /**
   * Waits until at most one submit is under way, and learns from the time that the one before took.
   * @param maxTiles tiles that a submit may hold
   * @returns how many the next ones may
   */
  async adaptPace(pace: Pace, tiles: number, maxTiles: number): Promise<number> {
    const finished = await pace.next(this.gpu.answer(this.gpu.device.queue.onSubmittedWorkDone()), tiles);
    this.gpu.checkAlive();
    await this.submitter.checkLoops();
    if (!finished || finished.tiles < maxTiles / 2) return maxTiles;
    const factor = Math.min(Math.max(targetSubmitTime / finished.milliseconds, 0.25), 4);
    return Math.max(1, Math.round(finished.tiles * factor));
  }

  /**
   * Runs a kernel that reads nothing of other tiles over some tiles, in submits that stay short.
   * @param maxTiles tiles that a submit may hold at first
   * @returns how many the next ones may
   */
  async submitInSlices(pace: Pace, tiles: number, maxTiles: number, slice: (first: number, end: number) => void) {
    for (let first = 0; first < tiles; ) {
      const end = Math.min(first + maxTiles, tiles);
      slice(first, end);
      maxTiles = await this.adaptPace(pace, end - first, maxTiles);
      first = end;
    }
    return maxTiles;
  }

  /** Makes sure that the steps which were submitted are done. */
  protected async settle(): Promise<void> {}

  /** @param allowsUnsettled whether the work may go on from steps that are not known to be done */
  enqueue<T>(work: () => Promise<T>, allowsUnsettled = false): Promise<T> {
    return this.#queue.run(work, allowsUnsettled);
  }

  /** Work in its turn that asks for readings: the turns that come later go on while they are read. */
  enqueueRead<const T extends readonly unknown[]>(work: () => Promise<T>, allowsUnsettled = false) {
    return this.#queue.read(work, allowsUnsettled);
  }
}
