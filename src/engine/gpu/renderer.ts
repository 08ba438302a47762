import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import type { Rendering } from "../pipeline.js";
import type { ShaderLibrary } from "../shaders.js";
import type { Gpu } from "./device.js";
import { DeviceTurns } from "./deviceTurns.js";
import { describeError } from "./errorScopes.js";
import type { Kernel, KernelSource } from "./kernel.js";
import { GpuMemory } from "./memory.js";
import type { Pace } from "./pace.js";
import { type Dispatch, type Stages, Submitter } from "./submitter.js";
import { dispatchStride, jobUniform, type Share } from "./uniforms.js";

/** How kernels are compiled. */
export interface Build {
  /** The library that they come from, if that is not the device's own. */
  shaders?: ShaderLibrary | undefined;
  /** Where they are on trial: turns after which their loops are ended. */
  mostTurns?: number | undefined;
  /** Whether some blobs are frozen. */
  freezes?: boolean;
}

/** What a renderer is opened for, and by which kernels. */
export interface GpuDrawing extends Build {
  config: TrainConfig;
  /** Of the image that the blobs learned. */
  size: Size;
  parameters: Float32Array;
}

/** Compiles kernels, by their names. */
export async function compileAll<Sources extends Partial<Record<string, KernelSource>>>(
  gpu: Gpu,
  sources: Sources,
  { shaders, mostTurns, freezes }: Build,
): Promise<{ [Name in keyof Sources]: Kernel }> {
  const kernels = Object.entries(sources as Record<string, KernelSource>).map(async ([name, { file, constants }]) => [
    name,
    await gpu.kernel(file, { ...constants, FREEZES: Number(freezes ?? false) }, shaders, mostTurns),
  ]);
  return Object.fromEntries(await Promise.all(kernels)) as { [Name in keyof Sources]: Kernel };
}

/** Submits should take about this many milliseconds: short for the browser, long against the cost of a submit. */
const submitTime = 25;
/** Steps of a submit at most, and its shares: up to two a step and one for its record, and some for steps that are cut. */
export const mostStepsPerSubmit = 256;
const mostShares = 3 * mostStepsPerSubmit + 4;

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
  readonly #turns: DeviceTurns;

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
    this.add("dispatch", dispatchStride * mostShares, GPUBufferUsage.UNIFORM);
    this.add("parameters", parameters);
    this.submitter = new Submitter(this.memory, config, this.buffers);
    this.#turns = new DeviceTurns(
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
  static async allocate<T extends GpuRenderer>(make: () => T): Promise<T> {
    const made = make();
    const error = await made.memory.errors.take();
    if (!error) return made;
    await made.free();
    const { config, image } = made;
    throw new Error(describeError(error, `${config.blobs} blobs on ${image.width}x${image.height} pixels`));
  }

  render(size: Size): Promise<Rendering> {
    return this.drawing.render(size);
  }

  async renderTimes(size: Size): Promise<Record<string, number> | undefined> {
    if (!this.submitter.canTime) return undefined;
    // The three are asked for together, so that nothing else is timed.
    const begun = this.inTurn(async () => this.submitter.startTiming());
    const rendered = this.render(size);
    const read = this.inTurn(() => this.submitter.stopTiming());
    const [, , times] = await Promise.all([begun, rendered, read]);
    return times;
  }

  allocated(): Promise<Record<string, number>> {
    return this.inTurn(async () => this.memory.allocated());
  }

  free(): Promise<void> {
    return this.#turns.close(() => {
      this.submitter.free();
      this.memory.free();
    });
  }

  /** One submit: dispatches in their order, and then stages that are timed. */
  submit(shares: Share[], dispatches: Dispatch[], timed: Stages = {}): void {
    this.submitter.submit(shares, dispatches, this.horizon, timed);
  }

  /** Called when some buffers have been replaced. */
  rebind(): void {
    this.submitter.rebind();
  }

  /**
   * Waits until at most one submit is under way, and learns from the time that the one before took.
   * @param most tiles that a submit may hold
   * @returns how many the next ones may
   */
  async keepPace(pace: Pace, tiles: number, most: number): Promise<number> {
    const finished = await pace.next(this.gpu.answer(this.gpu.device.queue.onSubmittedWorkDone()), tiles);
    this.gpu.checkAlive();
    await this.submitter.checkLoops();
    if (!finished || finished.tiles < most / 2) return most;
    const factor = Math.min(Math.max(submitTime / finished.milliseconds, 0.25), 4);
    return Math.max(1, Math.round(finished.tiles * factor));
  }

  /**
   * Runs a kernel that reads nothing of other tiles over some tiles, in submits that stay short.
   * @param most tiles that a submit may hold at first
   * @returns how many the next ones may
   */
  async inSlices(pace: Pace, tiles: number, most: number, slice: (first: number, end: number) => void) {
    for (let first = 0; first < tiles; ) {
      const end = Math.min(first + most, tiles);
      slice(first, end);
      most = await this.keepPace(pace, end - first, most);
      first = end;
    }
    return most;
  }

  /** Makes sure that the steps which were submitted are done. */
  protected async settle(): Promise<void> {}

  /** @param ahead whether the work may go on from steps that are not known to be done */
  inTurn<T>(work: () => Promise<T>, ahead = false): Promise<T> {
    return this.#turns.take(work, ahead);
  }

  /** Work in its turn that asks for readings: the turns that come later go on while they are read. */
  readInTurn<const T extends readonly unknown[]>(work: () => Promise<T>, ahead = false) {
    return this.#turns.read(work, ahead);
  }
}
