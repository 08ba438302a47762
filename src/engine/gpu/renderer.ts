import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import type { TrainingState } from "../model/blobs.js";
import { tileGrid } from "../model/uv.js";
import type { DrawJob, Rendering } from "../pipeline.js";
import type { Gpu } from "./device.js";
import { DeviceSerialQueue } from "./deviceSerialQueue.js";
import { describeError } from "./errorScopes.js";
import type { Kernel, KernelSource } from "./kernel.js";
import { GpuMemory } from "./memory.js";
import { Pace } from "./pace.js";
import { type Dispatch, type Stages, Submitter } from "./submitter.js";
import { type DispatchRange, dispatchStride, jobUniform } from "./uniforms.js";

/** How the kernels of a job are compiled. */
export type CompileOptions = Pick<DrawJob, "shaders" | "maxIterations"> & { state?: TrainingState };

/** Compiles kernels. */
export async function compileAll<Sources extends Partial<Record<string, KernelSource>>>(
  gpu: Gpu,
  sources: Sources,
  { shaders, maxIterations, state }: CompileOptions,
): Promise<{ [Name in keyof Sources]: Kernel }> {
  const kernels = Object.entries(sources as Record<string, KernelSource>).map(async ([name, { file, constants }]) => [
    name,
    await gpu.kernel(file, { ...constants, FREEZES: Number(state?.frozen !== undefined) }, shaders, maxIterations),
  ]);
  return Object.fromEntries(await Promise.all(kernels)) as { [Name in keyof Sources]: Kernel };
}

/** Submits should take about this many milliseconds: short for the browser, long against the cost of a submit. */
const targetSubmitTime = 25;
/** Maximum of steps and ranges per submit: up to two per step, one for its record, and some for split steps. */
export const maxStepsPerSubmit = 256;
const maxRanges = 3 * maxStepsPerSubmit + 4;

/** Draws blobs on a GPU: their buffers, short submits, and readbacks. */
export abstract class GpuRenderer {
  readonly description: string;
  readonly memory: GpuMemory;
  /** Buffers by their names in WGSL: see shaders/shared/. */
  readonly buffers = new Map<string, GPUBuffer>();
  /** Maximum of tiles per submit, adapted by measurement. */
  tilesPerSubmit = 64;
  /** The step at which the schedule ends. */
  protected horizon: number;
  protected readonly submitter: Submitter;
  readonly #queue: DeviceSerialQueue;

  constructor(
    readonly gpu: Gpu,
    readonly config: TrainConfig,
    /** Width and height of the tiles. */
    readonly tile: [number, number],
    /** Size of the image that the blobs learned. */
    readonly image: Size,
    parameters: Float32Array,
    public step = 0,
  ) {
    this.memory = new GpuMemory(gpu);
    this.description = gpu.description;
    this.horizon = config.steps;
    this.add("job", jobUniform(config, image), GPUBufferUsage.UNIFORM);
    this.add("dispatch", dispatchStride * maxRanges, GPUBufferUsage.UNIFORM);
    this.add("parameters", parameters);
    this.submitter = new Submitter(this.memory, config, this.buffers);
    this.#queue = new DeviceSerialQueue(
      gpu,
      this.memory.errors,
      () => this.settle(),
      () => this.submitter.checkLoops(),
    );
  }

  abstract render(size: Size): Promise<Rendering>;

  /** Adds a zeroed buffer of a size in bytes, or one with given contents. */
  add(
    name: string,
    contents: number | ArrayBufferView,
    usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
  ): void {
    this.buffers.set(name, this.memory.buffer(name, usage, contents));
  }

  /** Creates a pipeline. @throws Error if the GPU has too little memory */
  static async allocate<T extends GpuRenderer>(create: () => T): Promise<T> {
    const renderer = create();
    const error = await renderer.memory.errors.takeFirst();
    if (!error) return renderer;
    await renderer.free();
    const { config, image } = renderer;
    throw new Error(describeError(error, `${config.blobs} blobs on ${image.width}x${image.height} pixels`));
  }

  async renderTimes(size: Size): Promise<Record<string, number> | undefined> {
    if (!this.submitter.canTime) return undefined;
    // Queued together, so that nothing else is timed.
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

  /** Submits dispatches, then timed stages. */
  submit(ranges: DispatchRange[], dispatches: Dispatch[], timed: Stages = {}): void {
    this.submitter.submit(ranges, dispatches, this.horizon, timed);
  }

  /** Called when some buffers have been replaced. */
  rebind(): void {
    this.submitter.rebind();
  }

  /**
   * Waits until at most one submit is running, and adapts their size to the time of the previous one.
   * @param maxTiles maximum of tiles per submit
   * @returns the new maximum
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
   * Runs a kernel that processes tiles independently, in short submits.
   * @param maxTiles maximum of tiles per submit at first
   * @returns the new maximum
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

  /**
   * Draws a render in short submits and starts its readback.
   * @param submit submits some tiles, with the buffer of the render
   */
  async draw(
    size: Size,
    submit: (render: GPUBuffer, first: number, end: number) => void,
  ): Promise<{ reading: Promise<ArrayBuffer> }> {
    const bytes = 16 * size.width * size.height;
    const render = this.memory.buffer("render", GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes);
    try {
      const { count } = tileGrid(size, this.tile);
      await this.submitInSlices(new Pace(), count, this.tilesPerSubmit, (first, end) => submit(render, first, end));
      return { reading: this.memory.read(render, bytes) };
    } finally {
      this.memory.release(render);
    }
  }

  /** Completes submitted steps. */
  protected async settle(): Promise<void> {}

  /** @param allowsUnsettled whether the task may start before submitted steps are known to be complete */
  enqueue<T>(work: () => Promise<T>, allowsUnsettled = false): Promise<T> {
    return this.#queue.run(work, allowsUnsettled);
  }

  /** Runs a task that starts readbacks. Later tasks run while these are pending. */
  enqueueRead<const T extends readonly unknown[]>(work: () => Promise<T>, allowsUnsettled = false) {
    return this.#queue.read(work, allowsUnsettled);
  }
}
