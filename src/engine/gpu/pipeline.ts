import type { TrainConfig } from "../config.js";
import type { Image, Size } from "../image/image.js";
import { parameterCount, type TrainingState } from "../model/blobs.js";
import { tileGrid } from "../model/uv.js";
import type { AdvanceOptions, Measured, Pipeline, Rendering, StepStatistics, Tiles } from "../pipeline.js";
import type { ShaderLibrary } from "../shaders.js";
import type { Gpu } from "./device.js";
import { DeviceTurns } from "./deviceTurns.js";
import { describeError } from "./errorScopes.js";
import type { Kernel, KernelSource } from "./kernel.js";
import { GpuMemory } from "./memory.js";
import type { Pace } from "./pace.js";
import { Records, summaryParts } from "./records.js";
import { type Dispatch, type Stages, Submitter } from "./submitter.js";
import { dispatchStride, jobUniform, type Share } from "./uniforms.js";

/** The library of kernels, if that is not the device's own, and, where they are on trial, the turns after which their loops are ended. */
export interface Trial {
  shaders?: ShaderLibrary | undefined;
  mostTurns?: number | undefined;
}

/** What a pipeline is opened for, and by which kernels. */
export interface GpuJob extends Trial {
  config: TrainConfig;
  image: Image;
  state: TrainingState;
}

/** The kernel of the statistics, which all pipelines have. */
export function summarize({ blobs }: TrainConfig): KernelSource {
  return { file: "shared/summarize.wgsl", constants: { PARTS: summaryParts(blobs) } };
}

/** Compiles kernels, by their names. */
export async function compileAll<Sources extends Partial<Record<string, KernelSource>>>(
  gpu: Gpu,
  sources: Sources,
  { shaders, mostTurns }: Trial,
): Promise<{ [Name in keyof Sources]: Kernel }> {
  const kernels = Object.entries(sources as Record<string, KernelSource>).map(async ([name, { file, constants }]) => [
    name,
    await gpu.kernel(file, constants, shaders, mostTurns),
  ]);
  return Object.fromEntries(await Promise.all(kernels)) as { [Name in keyof Sources]: Kernel };
}

/** Submits should take about this many milliseconds: short for the browser, long against the cost of a submit. */
const submitTime = 25;
const mostStepsPerSubmit = 256;
/** Shares of a submit: up to two a step and one for its record, and some for steps that are cut. */
const mostShares = 3 * mostStepsPerSubmit + 4;

/** What all pipelines on a GPU have in common: a job's buffers, submits that stay short, and readbacks. */
export abstract class GpuPipeline implements Pipeline {
  readonly description: string;
  step: number;
  protected readonly memory: GpuMemory;
  protected readonly image: Size;
  /** The job's buffers by their names in WGSL: see shaders/shared/. */
  protected readonly buffers = new Map<string, GPUBuffer>();
  /** The step at which the schedule ends. */
  protected horizon: number;
  /** Steps between two that are recorded; undefined if none is. */
  protected recordEvery: number | undefined;
  readonly #records: Records;
  /** Tiles that a submit may hold, adapted by measurement. */
  protected tilesPerSubmit = 64;
  readonly #submitter: Submitter;
  readonly #turns: DeviceTurns;

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
    const add = (name: string, contents: number | ArrayBufferView, usage = storage) =>
      this.buffers.set(name, memory.buffer(name, usage, contents));
    add("job", jobUniform(gpu.shaders, config, image), GPUBufferUsage.UNIFORM);
    add("dispatch", dispatchStride * mostShares, GPUBufferUsage.UNIFORM);
    add("parameters", state.parameters);
    add("gradients", state.parameters.byteLength);
    add("tileStatistics", gpu.struct("TileStatistics").bytes * this.#statisticsRows);
    add("targetImage", image.data);
    add("firstMoments", state.firstMoments);
    add("secondMoments", state.secondMoments);
    this.#records = new Records(memory, summaryParts(config.blobs), image.width * image.height, this.tileCount);
    this.buffers.set("summaries", this.#records.buffer);
    this.#submitter = new Submitter(memory, config, this.buffers);
    this.#turns = new DeviceTurns(
      gpu,
      memory.errors,
      () => this.settle(),
      () => this.#submitter.checkLoops(),
    );
  }

  /** Makes a pipeline, or fails with one sentence where memory does not suffice. */
  protected static async allocate<T extends GpuPipeline>(config: TrainConfig, image: Size, make: () => T) {
    const pipeline = make();
    const error = await pipeline.memory.errors.take();
    if (!error) return pipeline;
    await pipeline.free();
    throw new Error(describeError(error, `${config.blobs} blobs on ${image.width}x${image.height} pixels`));
  }

  abstract advance(steps: number, options?: AdvanceOptions): Promise<number>;
  abstract computeGradients(): Promise<Float32Array>;
  abstract render(size: Size): Promise<Rendering>;

  async statistics(): Promise<StepStatistics> {
    const [statistics, stageTimes] = await this.readInTurn(async () => {
      this.#summarize(0, this.step);
      return [this.#records.first(), this.#submitter.stageTimes()];
    });
    return { ...statistics, ...(stageTimes && { stageTimes }) };
  }

  async measured(): Promise<Measured[]> {
    const [rows, done, stageTimes] = await this.readInTurn(
      async () => [this.#records.take(), this.stepDone(), this.#submitter.stageTimes()],
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
    const [step, parameters, firstMoments, secondMoments] = await this.readInTurn(async () => [
      this.step,
      this.readValues("parameters"),
      this.readValues("firstMoments"),
      this.readValues("secondMoments"),
    ]);
    return { step, parameters, firstMoments, secondMoments };
  }

  load(state: TrainingState): Promise<void> {
    return this.inTurn(async () => {
      this.step = state.step;
      const { queue } = this.gpu.device;
      this.memory.errors.within(() => {
        for (const name of ["parameters", "firstMoments", "secondMoments"] as const)
          queue.writeBuffer(this.buffers.get(name)!, 0, state[name] as BufferSource);
      });
      this.forgetRecords(-1);
      this.forgetLists();
    });
  }

  /** Told that the parameters are others. */
  protected forgetLists(): void {}

  async gradients(): Promise<Float32Array> {
    const [gradients] = await this.readInTurn(async () => [this.readValues("gradients")]);
    return gradients;
  }

  async tiles(): Promise<Tiles> {
    const { across, down, count } = tileGrid(this.image, this.tile);
    const struct = this.gpu.struct("TileStatistics");
    const bytes = struct.bytes * this.#statisticsRows;
    const [rows] = await this.readInTurn(async () => [this.memory.read(this.buffers.get("tileStatistics")!, bytes)]);
    const words = new Uint32Array(rows);
    const stride = struct.words * this.statisticsPerTile;
    const column = (member: string) =>
      Uint32Array.from({ length: count }, (_, tile) => words[stride * tile + struct.at(member)]);
    return { size: this.tile, across, down, lengths: column("listLength"), passes: column("passes") };
  }

  async renderTimes(size: Size): Promise<Record<string, number> | undefined> {
    if (!this.#submitter.canTime) return undefined;
    // The three are asked for together, so that nothing else is timed.
    const begun = this.inTurn(async () => this.#submitter.startTiming());
    const rendered = this.render(size);
    const read = this.inTurn(() => this.#submitter.stopTiming());
    const [, , times] = await Promise.all([begun, rendered, read]);
    return times;
  }

  allocated(): Promise<Record<string, number>> {
    return this.inTurn(async () => this.memory.allocated());
  }

  free(): Promise<void> {
    return this.#turns.close(() => {
      this.#submitter.free();
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
    const plain = timed && this.#submitter.canTime ? count - 1 : count;
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
    this.#submitter.submit(shares, dispatches, this.horizon, timed);
  }

  /** Told that other buffers stand in the place of some. */
  protected rebind(): void {
    this.#submitter.rebind();
  }

  /**
   * Waits until at most one submit is under way, and learns from the time that the one before took.
   * @param most tiles that a submit may hold
   * @returns how many the next ones may
   */
  protected async keepPace(pace: Pace, tiles: number, most: number): Promise<number> {
    const finished = await pace.next(this.gpu.answer(this.gpu.device.queue.onSubmittedWorkDone()), tiles);
    this.gpu.checkAlive();
    await this.#submitter.checkLoops();
    if (!finished || finished.tiles < most / 2) return most;
    const factor = Math.min(Math.max(submitTime / finished.milliseconds, 0.25), 4);
    return Math.max(1, Math.round(finished.tiles * factor));
  }

  /**
   * Runs a kernel that reads nothing of other tiles over some tiles, in submits that stay short.
   * @param most tiles that a submit may hold at first
   * @returns how many the next ones may
   */
  protected async inSlices(pace: Pace, tiles: number, most: number, slice: (first: number, end: number) => void) {
    for (let first = 0; first < tiles; ) {
      const end = Math.min(first + most, tiles);
      slice(first, end);
      most = await this.keepPace(pace, end - first, most);
      first = end;
    }
    return most;
  }

  protected async readValues(
    name: "parameters" | "firstMoments" | "secondMoments" | "gradients",
  ): Promise<Float32Array> {
    const bytes = 4 * parameterCount * this.config.blobs;
    return new Float32Array(await this.memory.read(this.buffers.get(name)!, bytes));
  }

  /** The step that is done behind all work submitted so far. */
  protected async stepDone(): Promise<number> {
    return this.step;
  }

  /** Makes sure that the steps which were submitted are done. */
  protected async settle(): Promise<void> {}

  /** @param ahead whether the work may go on from steps that are not known to be done */
  protected inTurn<T>(work: () => Promise<T>, ahead = false): Promise<T> {
    return this.#turns.take(work, ahead);
  }

  /** Work in its turn that asks for readings: the turns that come later go on while they are read. */
  protected readInTurn<const T extends readonly unknown[]>(work: () => Promise<T>, ahead = false) {
    return this.#turns.read(work, ahead);
  }
}
