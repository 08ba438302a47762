import { parameterCount, type TrainingState } from "../blobs.js";
import type { Composite, TrainConfig } from "../config.js";
import { largestGradientOf } from "../cpu/accumulate.js";
import { corrections } from "../cpu/adam.js";
import { attenuationOf } from "../cpu/blend.js";
import { tileGrid } from "../cpu/uv.js";
import type { Image, Size } from "../image.js";
import type { Measured, Pipeline, Rendering, StepStatistics, Tiles } from "../pipeline.js";
import { baseRates, scheduleAtStep } from "../rates.js";
import { Turns } from "../turns.js";
import { EndlessLoopError } from "./boundLoops.js";
import { type Bindings, type Gpu, GpuMemory, type Kernel, type KernelSource } from "./device.js";
import { LoopWatch } from "./loopWatch.js";
import { Records, summaryParts } from "./records.js";
import type { ShaderLibrary } from "./shaders.js";
import { Stopwatch } from "./stopwatch.js";

export const read = "read-only-storage";
export const write = "storage";

/** The bindings of every kernel: the job, and the dispatch at a dynamic offset. */
export const uniforms: Bindings = { 0: "uniform", 1: "uniform" };

/**
 * What a pipeline is opened for; the library of its kernels, if that is not the device's own; and, where they are on
 * trial, the turns after which their loops are ended.
 */
export interface GpuJob {
  config: TrainConfig;
  image: Image;
  state: TrainingState;
  shaders?: ShaderLibrary | undefined;
  mostTurns?: number | undefined;
}

/** The kernel of the statistics, which all pipelines have. */
export function summarize({ blobs }: TrainConfig): KernelSource {
  const bindings: Bindings = { ...uniforms, 3: write, 4: write, 8: write };
  return { file: "shared/summarize.wgsl", bindings, constants: { PARTS: summaryParts(blobs) } };
}

/** Compiles kernels, by their names. */
export async function compileAll<Name extends string>(
  gpu: Gpu,
  sources: Record<Name, KernelSource>,
  { shaders, mostTurns }: GpuJob,
): Promise<Record<Name, Kernel>> {
  const kernels = Object.entries<KernelSource>(sources).map(async ([name, { file, bindings, constants }]) => [
    name,
    await gpu.kernel(file, bindings, constants, shaders, mostTurns),
  ]);
  return Object.fromEntries(await Promise.all(kernels)) as Record<Name, Kernel>;
}

/** Submits should take about this many milliseconds: short for the browser, long against the cost of a submit. */
const submitTime = 25;
const mostStepsPerSubmit = 256;
/** Shares of a submit: up to two a step and one for its record, and some for steps that are cut. */
const mostShares = 3 * mostStepsPerSubmit + 4;

const dispatchStride = 256;
const dispatchBytes = 32;
const tileStatisticsBytes = 12;

/** The workgroups first ≤ w < end of a kernel, rendering at `size`, at training step `step`. */
export interface Share {
  size: Size;
  first: number;
  end: number;
  step: number;
}

/** One kernel of a step: what it is called, how many workgroups it takes, and which share of the submit it reads. */
export interface Dispatch {
  kernel: Kernel;
  workgroups: number;
  share: number;
  /** Buffers that stand in for, or add to, the job's own. */
  buffers?: ReadonlyMap<number, GPUBuffer>;
}

/** The kernels of a training step, in their order, by the names under which their times are reported. */
export type Stages = Record<string, Dispatch>;

/** What all pipelines on a GPU have in common: a job's buffers, submits that stay short, and readbacks. */
export abstract class GpuPipeline implements Pipeline {
  readonly description: string;
  step: number;
  protected readonly memory: GpuMemory;
  protected readonly image: Size;
  /** The job's buffers by binding: see shaders/shared/. */
  protected readonly buffers: Map<number, GPUBuffer>;
  /** The step at which the schedule ends. */
  protected horizon: number;
  /** Steps between two that are recorded; undefined if none is. */
  protected recordEvery: number | undefined;
  readonly #records: Records;
  /** Tiles that a submit may hold, adapted by measurement. */
  protected tilesPerSubmit = 64;
  readonly #timestamps: { set: GPUQuerySet; resolved: GPUBuffer } | undefined;
  #timedStages: string[] = [];
  #stopwatch: Stopwatch | undefined;
  /** Where kernels are on trial. */
  #watch: LoopWatch | undefined;
  readonly #turns = new Turns();
  /** What is being read. */
  readonly #readings = new Set<Promise<unknown>>();
  readonly #groups = new Map<Kernel, GPUBindGroup>();
  #freed = false;

  protected constructor(
    protected readonly gpu: Gpu,
    protected readonly config: TrainConfig,
    /** Width and height of the tiles that have lists and statistics. */
    protected readonly tile: [number, number],
    image: Image,
    state: TrainingState,
    protected readonly summarize: Kernel,
    /** Rows of tileStatistics for a tile; only the first one tells of its list. */
    private readonly statisticsPerTile = 1,
  ) {
    this.memory = new GpuMemory(gpu);
    this.image = { width: image.width, height: image.height };
    this.description = gpu.description;
    this.step = state.step;
    this.horizon = config.steps;
    const { memory } = this;
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    this.buffers = new Map([
      [0, memory.buffer("job", GPUBufferUsage.UNIFORM, jobUniform(config, image))],
      [1, memory.buffer("dispatch", GPUBufferUsage.UNIFORM, dispatchStride * mostShares)],
      [2, memory.buffer("parameters", storage, state.parameters)],
      [3, memory.buffer("gradients", storage, state.parameters.byteLength)],
      [4, memory.buffer("tileStatistics", storage, tileStatisticsBytes * this.#statisticsRows)],
      [5, memory.buffer("target", storage, image.data)],
      [6, memory.buffer("moments", storage, momentsOf(state))],
    ]);
    this.#records = new Records(memory, summaryParts(config.blobs), image.width * image.height, this.tileCount);
    this.buffers.set(8, this.#records.buffer);
    if (gpu.hasTimestamps) {
      const set = gpu.device.createQuerySet({ type: "timestamp", count: 2 * mostTimedStages });
      const usage = GPUBufferUsage.QUERY_RESOLVE | storage;
      this.#timestamps = { set, resolved: memory.buffer("timestamps", usage, 16 * mostTimedStages) };
    }
  }

  /** Makes a pipeline, or fails with one sentence where memory does not suffice. */
  protected static async allocate<T extends GpuPipeline>(gpu: Gpu, config: TrainConfig, image: Size, make: () => T) {
    gpu.device.pushErrorScope("out-of-memory");
    const pipeline = make();
    if (!(await gpu.device.popErrorScope())) return pipeline;
    await pipeline.free();
    const job = `${config.blobs} blobs on ${image.width}x${image.height} pixels`;
    throw new Error(`The GPU has too little memory for ${job}.`);
  }

  abstract advance(steps: number, signal?: AbortSignal, horizon?: number, recordEvery?: number): Promise<number>;
  abstract computeGradients(): Promise<Float32Array>;
  abstract render(size: Size): Promise<Rendering>;

  async statistics(): Promise<StepStatistics> {
    const [statistics, stageTimes] = await this.readInTurn(async () => {
      this.#summarize(0, this.step);
      return [this.#records.first(), this.#stageTimes()];
    });
    return { ...statistics, ...(stageTimes && { stageTimes }) };
  }

  async measured(): Promise<Measured[]> {
    const [rows, done, stageTimes] = await this.readInTurn(
      async () => [this.#records.take(), this.stepDone(), this.#stageTimes()],
      true,
    );
    const measured = rows.filter(({ step }) => step <= done);
    if (measured.length < rows.length) {
      // The others are of steps that are taken again.
      const [again] = await this.readInTurn(async () => [this.#records.take(rows.at(-1)!.step)]);
      measured.push(...again);
    }
    const last = measured.at(-1);
    if (last && stageTimes) last.stageTimes = stageTimes;
    return measured;
  }

  async state(): Promise<TrainingState> {
    const [step, parameters, moments] = await this.readInTurn(async () => [
      this.step,
      this.readSlots(2),
      this.memory.read(this.buffers.get(6)!),
    ]);
    const firstMoments = new Float32Array(moments.slice(0, moments.byteLength / 2));
    const secondMoments = new Float32Array(moments.slice(moments.byteLength / 2));
    return { step, parameters, firstMoments, secondMoments };
  }

  load(state: TrainingState): Promise<void> {
    return this.inTurn(async () => {
      this.step = state.step;
      const { queue } = this.gpu.device;
      queue.writeBuffer(this.buffers.get(2)!, 0, state.parameters as BufferSource);
      queue.writeBuffer(this.buffers.get(6)!, 0, momentsOf(state) as BufferSource);
      this.forgetRecords(-1);
      this.forgetLists();
    });
  }

  /** Told that the parameters are others. */
  protected forgetLists(): void {}

  async gradients(): Promise<Float32Array> {
    const [gradients] = await this.readInTurn(async () => [this.readSlots(3)]);
    return gradients;
  }

  async tiles(): Promise<Tiles> {
    const { across, down, count } = tileGrid(this.image, this.tile);
    const bytes = tileStatisticsBytes * this.#statisticsRows;
    const [rows] = await this.readInTurn(async () => [this.memory.read(this.buffers.get(4)!, bytes)]);
    const words = new Uint32Array(rows);
    const stride = (tileStatisticsBytes / 4) * this.statisticsPerTile;
    const column = (field: number) => Uint32Array.from({ length: count }, (_, tile) => words[stride * tile + field]);
    return { size: this.tile, across, down, lengths: column(1), passes: column(2) };
  }

  async renderTimes(size: Size): Promise<Record<string, number> | undefined> {
    if (!this.#timestamps) return undefined;
    // The three are asked for together, so that nothing else is timed.
    const begun = this.inTurn(async () => {
      this.#stopwatch = new Stopwatch(this.memory);
    });
    const rendered = this.render(size);
    const read = this.inTurn(async () => {
      const stopwatch = this.#stopwatch;
      this.#stopwatch = undefined;
      return stopwatch?.stop();
    });
    const [, , times] = await Promise.all([begun, rendered, read]);
    return times;
  }

  allocated(): Promise<Record<string, number>> {
    return this.inTurn(async () => this.memory.allocated());
  }

  free(): Promise<void> {
    this.#freed = true;
    return this.#turns.take(async () => {
      await Promise.allSettled(this.#readings);
      if (!this.gpu.isGivenUp) this.#timestamps?.set.destroy();
      this.#watch?.free();
      this.memory.free();
    });
  }

  protected get tileCount(): number {
    return tileGrid(this.image, this.tile).count;
  }

  get #statisticsRows(): number {
    return this.statisticsPerTile * this.tileCount;
  }

  /** How many whole steps the next submit may hold; 0 if a step must be cut. */
  protected stepsPerSubmit(most: number): number {
    return Math.min(most, Math.floor(this.tilesPerSubmit / this.tileCount), mostStepsPerSubmit);
  }

  /** The share of a step that is all of it. */
  protected whole(step: number): Share {
    return { size: this.image, first: 0, end: this.tileCount, step };
  }

  /** The shares that the stages of one whole step read, in the order of their numbers. */
  protected shares(step: number): Share[] {
    return [this.whole(step)];
  }

  /** Whole steps in one submit; the last one is timed stage by stage if asked, where that can be done. */
  protected submitSteps(count: number, timed: boolean, stages: (firstShare: number) => Stages): void {
    const plain = timed && this.#timestamps ? count - 1 : count;
    const shares: Share[] = [];
    const dispatches: Dispatch[] = [];
    const begin = (step: number) => {
      const first = shares.length;
      shares.push(...this.shares(step));
      return stages(first);
    };
    this.#records.makeRoom(plain);
    for (let step = this.step + 1; step <= this.step + plain; step++) {
      dispatches.push(...Object.values(begin(step)));
      if (!this.#isRecorded(step)) continue;
      dispatches.push(this.#summary(shares.length));
      shares.push(this.#rowOf(this.#records.add(step), step));
    }
    this.submit(shares, dispatches, plain < count ? begin(this.step + count) : {});
  }

  #isRecorded(step: number): boolean {
    return this.recordEvery !== undefined && step % this.recordEvery === 0;
  }

  /** Records a step that was submitted by itself, if it is to be, or the last of those that were asked for. */
  protected record(step: number, isLast = false): void {
    if (this.recordEvery === undefined || !(isLast || this.#isRecorded(step))) return;
    if (this.#records.latest === step) return;
    this.#records.makeRoom(1);
    this.#summarize(this.#records.add(step), step);
  }

  /** Steps behind this one were not done after all. */
  protected forgetRecords(step: number): void {
    this.#records.forget(step);
  }

  #summarize(row: number, step: number): void {
    this.submit([this.#rowOf(row, step)], [this.#summary(0)]);
  }

  #summary(share: number): Dispatch {
    return { kernel: this.summarize, workgroups: this.#records.workgroups, share };
  }

  /** The share of a summary is its row. */
  #rowOf(row: number, step: number): Share {
    return { size: this.image, first: row, end: row + 1, step };
  }

  /** One submit: dispatches in their order, and then stages that are timed. */
  protected submit(shares: Share[], dispatches: Dispatch[], timed: Stages = {}): void {
    const { device } = this.gpu;
    device.queue.writeBuffer(this.buffers.get(1)!, 0, dispatchUniform(shares, this.config, this.horizon));
    const encoder = device.createCommandEncoder();
    if (this.#stopwatch && this.#timestamps) {
      // A submit that builds lists is timed as one, as it runs: passes of their own would cost more than some kernels.
      const names = [dispatches.length > 1 ? "lists" : dispatches[0].kernel.name];
      const first = shares[dispatches[0].share].first;
      const keep = this.#stopwatch.take(this.#timestamps.set, names, first);
      const pass = encoder.beginComputePass({
        timestampWrites: { querySet: this.#timestamps.set, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
      });
      for (const dispatch of dispatches) this.#encode(pass, dispatch);
      pass.end();
      keep(encoder);
    } else if (dispatches.length > 0) {
      const pass = encoder.beginComputePass();
      for (const dispatch of dispatches) this.#encode(pass, dispatch);
      pass.end();
    }
    if (this.#timestamps && Object.keys(timed).length > 0) {
      const { set, resolved } = this.#timestamps;
      this.#timedStages = Object.keys(timed);
      this.#encodeTimed(encoder, Object.values(timed));
      encoder.resolveQuerySet(set, 0, 2 * this.#timedStages.length, resolved, 0);
    }
    device.queue.submit([encoder.finish()]);
  }

  /** Waits until at most one submit is under way, and learns from the time that the one before took. */
  protected async keepPace(pace: Pace, tiles: number, learn = true): Promise<void> {
    const finished = await pace.next(this.gpu.answer(this.gpu.device.queue.onSubmittedWorkDone()), tiles);
    this.gpu.checkAlive();
    await this.#watch?.check();
    if (!finished || !learn || finished.tiles < this.tilesPerSubmit / 2) return;
    const factor = Math.min(Math.max(submitTime / finished.milliseconds, 0.25), 4);
    this.tilesPerSubmit = Math.max(1, Math.round(finished.tiles * factor));
  }

  /** Runs a kernel that reads nothing of other tiles over all tiles of a render, in submits that stay short. */
  protected async inSlices(pace: Pace, size: Size, tiles: number, slice: (first: number, end: number) => void) {
    for (let first = 0; first < tiles; ) {
      const end = Math.min(first + this.tilesPerSubmit, tiles);
      slice(first, end);
      await this.keepPace(pace, end - first, size === this.image);
      first = end;
    }
  }

  protected async readSlots(binding: number): Promise<Float32Array> {
    const bytes = 4 * parameterCount * this.config.blobs;
    return new Float32Array(await this.memory.read(this.buffers.get(binding)!, bytes));
  }

  /** The step that is done behind all work submitted so far. */
  protected async stepDone(): Promise<number> {
    return this.step;
  }

  /** Makes sure that the steps which were submitted are done. */
  protected async settle(): Promise<void> {}

  /** @param ahead whether the work may go on from steps that are not known to be done */
  protected inTurn<T>(work: () => Promise<T>, ahead = false): Promise<T> {
    return this.#turns.take(async () => {
      if (this.#freed) throw new Error("This pipeline has been freed.");
      return this.#watched(async () => {
        if (!ahead) await this.settle();
        return work();
      });
    });
  }

  /** Work in its turn that asks for readings: the turns that come later go on while they are read. */
  protected async readInTurn<const T extends readonly unknown[]>(
    work: () => Promise<T>,
    ahead = false,
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    const { reading } = await this.inTurn(async () => {
      const asked = Promise.all(await work());
      const reading = this.#watched(() => asked);
      const forget = () => this.#readings.delete(reading);
      this.#readings.add(reading);
      reading.then(forget, forget);
      return { reading };
    }, ahead);
    return reading;
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.gpu.checkAlive();
      try {
        return await this.gpu.heeding(work);
      } finally {
        // Whatever came of it: what a loop left that was ended is worth nothing.
        await this.#watch?.check();
      }
    } catch (error) {
      if (error instanceof EndlessLoopError) throw error;
      // What fails because the device is gone says so, whatever it failed with; the word of its loss may come later.
      await Promise.race([this.gpu.lost, new Promise((resolve) => setTimeout(resolve, 100))]);
      if (!this.#freed) this.gpu.checkAlive();
      throw error;
    }
  }

  /** Bind groups were made for buffers that are there no more. */
  protected rebind(): void {
    this.#groups.clear();
  }

  /** Dispatches in a pass each, with the time at which it begins and ends. */
  #encodeTimed(encoder: GPUCommandEncoder, dispatches: Dispatch[]): void {
    const { set: querySet } = this.#timestamps!;
    for (const [index, dispatch] of dispatches.entries()) {
      const indices = { beginningOfPassWriteIndex: 2 * index, endOfPassWriteIndex: 2 * index + 1 };
      const pass = encoder.beginComputePass({ timestampWrites: { querySet, ...indices } });
      this.#encode(pass, dispatch);
      pass.end();
    }
  }

  #encode(pass: GPUComputePassEncoder, { kernel, workgroups, share, buffers }: Dispatch): void {
    const most = this.gpu.device.limits.maxComputeWorkgroupsPerDimension;
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, this.#bind(kernel, buffers), [dispatchStride * share]);
    if (kernel.loops.length > 0) {
      this.#watch ??= new LoopWatch(this.memory);
      pass.setBindGroup(1, this.#watch.group(kernel));
    }
    pass.dispatchWorkgroups(Math.min(workgroups, most), Math.ceil(workgroups / most));
  }

  #bind(kernel: Kernel, own?: ReadonlyMap<number, GPUBuffer>): GPUBindGroup {
    const known = own ? undefined : this.#groups.get(kernel);
    if (known) return known;
    const group = this.gpu.device.createBindGroup({
      layout: kernel.layout,
      entries: kernel.bindings.map((binding) => {
        const buffer = (own?.get(binding) ?? this.buffers.get(binding))!;
        return { binding, resource: binding === 1 ? { buffer, size: dispatchBytes } : { buffer } };
      }),
    });
    if (!own) this.#groups.set(kernel, group);
    return group;
  }

  /** Milliseconds of each stage of the latest step that was timed. */
  async #stageTimes(): Promise<Record<string, number> | undefined> {
    if (!this.#timestamps || this.#timedStages.length === 0) return undefined;
    const times = new BigUint64Array(await this.memory.read(this.#timestamps.resolved));
    const milliseconds = (index: number) => Number(times[2 * index + 1] - times[2 * index]) / 1e6;
    return Object.fromEntries(this.#timedStages.map((stage, index) => [stage, milliseconds(index)]));
  }
}

/** More stages than any pipeline has. */
const mostTimedStages = 16;

/** Keeps one submit under way while the next is prepared, and times each. */
export class Pace {
  #before: Promise<{ tiles: number; milliseconds: number }> | undefined;
  #finishedAt = performance.now();

  /** Takes a submit's completion; resolves, with what it measured, when the one before it is complete. */
  async next(done: Promise<unknown>, tiles: number) {
    const submittedAt = performance.now();
    const before = this.#before;
    this.#before = done.then(() => {
      const now = performance.now();
      const milliseconds = now - Math.max(submittedAt, this.#finishedAt);
      this.#finishedAt = now;
      return { tiles, milliseconds };
    });
    // Where the one before it fails nobody asks for this one any more.
    this.#before.catch(() => {});
    return before;
  }

  /** Resolves when the submit that came last is complete. */
  async finish(): Promise<void> {
    await this.#before;
  }
}

/** One struct Dispatch of shaders/shared/config.wgsl a share, each at a multiple of 256 bytes. */
export function dispatchUniform(shares: Share[], config: TrainConfig, horizon = config.steps): Uint8Array {
  const bytes = new ArrayBuffer(dispatchStride * shares.length);
  for (const [index, { size, first, end, step }] of shares.entries()) {
    const offset = dispatchStride * index;
    new Uint32Array(bytes, offset, 4).set([size.width, size.height, first, end]);
    new Float32Array(bytes, offset + 16, 2).set(corrections(config.biasCorrection, step));
    new Uint32Array(bytes, offset + 24, 1)[0] = step;
    new Float32Array(bytes, offset + 28, 1)[0] = scheduleAtStep(config, step, horizon);
  }
  return new Uint8Array(bytes);
}

/** The overrides by which shaders/shared/ is compiled to a config's model. */
export function modelConstants({ parameterization, blend, composite }: TrainConfig): Record<string, number> {
  return {
    DIRECT: Number(parameterization === "direct"),
    ATTENUATION: attenuationOf(blend),
    COMPOSITE: composites.indexOf(composite),
    LARGEST_GRADIENT: Math.min(largestGradientOf(parameterization), 1e30),
  };
}

/** In the order of the numbers in shaders/shared/loss.wgsl. */
const composites: Composite[] = ["seed", "white", "black"];

/** The contents of the buffer of shaders/shared/adam.wgsl. */
export function momentsOf({ firstMoments, secondMoments }: TrainingState): Float32Array {
  const moments = new Float32Array(firstMoments.length + secondMoments.length);
  moments.set(firstMoments);
  moments.set(secondMoments, firstMoments.length);
  return moments;
}

/** The struct Job of shaders/shared/config.wgsl. */
export function jobUniform(config: TrainConfig, image: Size): Uint8Array {
  const bytes = new ArrayBuffer(64);
  new Uint32Array(bytes)[0] = config.blobs;
  new Float32Array(bytes)[1] = config.covarianceScale;
  new Uint32Array(bytes, 8).set([image.width, image.height]);
  new Float32Array(bytes, 16).set(baseRates(config));
  return new Uint8Array(bytes);
}
