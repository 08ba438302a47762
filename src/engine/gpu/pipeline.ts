import type { TrainConfig } from "../config.js";
import type { Image } from "../image/image.js";
import { parameterCount, type TrainingState } from "../model/blobs.js";
import { tileGrid } from "../model/uv.js";
import type { AdvanceOptions, Pipeline, StepRecord, StepStatistics, Tiles } from "../pipeline.js";
import type { Gpu } from "./device.js";
import type { Kernel, KernelSource } from "./kernel.js";
import { partialSumCount, Records } from "./records.js";
import { type CompileOptions, GpuRenderer, maxStepsPerSubmit } from "./renderer.js";
import { structBytes } from "./structs.js";
import type { Dispatch, Stages } from "./submitter.js";
import type { DispatchRange } from "./uniforms.js";

/** A job, and how its kernels are compiled. */
export interface GpuJob extends CompileOptions {
  config: TrainConfig;
  /** Without pixels if the job only draws. */
  image: Image;
  state: TrainingState;
  /** Whether the job only draws, without the kernels and buffers of training. */
  draws?: boolean;
}

/** Returns the kernel that computes the statistics, common to all pipelines. */
export function summarize({ blobs }: TrainConfig): KernelSource {
  return { file: "shared/summarize.wgsl", constants: { PARTIAL_SUMS: partialSumCount(blobs) } };
}

/** Returns the raw parameters, followed by a mask if some blobs are frozen: see shaders/shared/adam.wgsl. */
function parametersWithMask({ parameters, frozen }: TrainingState): Float32Array {
  if (!frozen) return parameters;
  const masked = new Float32Array(parameters.length + frozen.length);
  masked.set(parameters);
  masked.set(frozen, parameters.length);
  return masked;
}

/** Base of all pipelines on a GPU: training buffers, submits of whole steps, and records of steps. */
export abstract class GpuPipeline extends GpuRenderer implements Pipeline {
  /** Every so many steps one is recorded; none if undefined. */
  protected recordEvery: number | undefined;
  readonly #records!: Records;
  readonly #frozen: Uint8Array | undefined;

  protected constructor(
    gpu: Gpu,
    { config, image, state, draws }: GpuJob,
    tile: [number, number],
    protected readonly summarize: Kernel,
    /** Rows of tileStatistics per tile; only the first contains its list's length. */
    private readonly statisticsPerTile = 1,
  ) {
    const { width, height } = image;
    super(gpu, config, tile, { width, height }, parametersWithMask(state), state.step);
    this.#frozen = state.frozen;
    if (draws) return;
    this.add("gradients", state.parameters.byteLength);
    this.add("tileStatistics", structBytes.TileStatistics * this.#statisticsRows);
    this.add("targetImage", image.data);
    this.add("firstMoments", state.firstMoments);
    this.add("secondMoments", state.secondMoments);
    this.#records = new Records(this.memory, partialSumCount(config.blobs), width * height, this.tileCount);
    this.buffers.set("summaries", this.#records.buffer);
  }

  abstract advance(steps: number, options?: AdvanceOptions): Promise<number>;
  abstract computeGradients(): Promise<Float32Array>;

  async statistics(): Promise<StepStatistics> {
    const [statistics, stageTimes] = await this.enqueueRead(async () => {
      this.#summarize(0, this.step);
      return [this.#records.first(), this.submitter.stageTimes()];
    });
    return { ...statistics, ...(stageTimes && { stageTimes }) };
  }

  async measured(): Promise<StepRecord[]> {
    const [rows, done, stageTimes] = await this.enqueueRead(
      async () => [this.#records.take(), this.completedStep(), this.submitter.stageTimes()],
      true,
    );
    const measured = rows.filter(({ step }) => step <= done);
    if (measured.length < rows.length) {
      // The other steps overflowed and are repeated.
      const [repeatedRows] = await this.enqueueRead(async () => [this.#records.take(rows.at(-1)!.step)]);
      measured.push(...repeatedRows);
    }
    const last = measured.at(-1);
    if (last && stageTimes) last.stageTimes = stageTimes;
    return measured;
  }

  async state(): Promise<TrainingState> {
    const [step, parameters, firstMoments, secondMoments] = await this.enqueueRead(async () => [
      this.step,
      this.readValues("parameters"),
      this.readValues("firstMoments"),
      this.readValues("secondMoments"),
    ]);
    return { step, parameters, firstMoments, secondMoments, ...(this.#frozen && { frozen: this.#frozen }) };
  }

  load(state: TrainingState): Promise<void> {
    return this.enqueue(async () => {
      this.step = state.step;
      const { queue } = this.gpu.device;
      this.memory.errors.within(() => {
        for (const name of ["parameters", "firstMoments", "secondMoments"] as const)
          queue.writeBuffer(this.buffers.get(name)!, 0, state[name] as BufferSource);
      });
      this.discardRecords(-1);
      this.invalidateLists();
    });
  }

  /** Called when the parameters have been replaced. */
  protected invalidateLists(): void {}

  async gradients(): Promise<Float32Array> {
    const [gradients] = await this.enqueueRead(async () => [this.readValues("gradients")]);
    return gradients;
  }

  async tiles(): Promise<Tiles> {
    const { across, down, count } = tileGrid(this.image, this.tile);
    const bytes = structBytes.TileStatistics * this.#statisticsRows;
    const [rows] = await this.enqueueRead(async () => [this.memory.read(this.buffers.get("tileStatistics")!, bytes)]);
    const words = new Uint32Array(rows);
    const stride = (structBytes.TileStatistics / 4) * this.statisticsPerTile;
    const column = (at: number) => Uint32Array.from({ length: count }, (_, tile) => words[stride * tile + at]);
    return { size: this.tile, across, down, lengths: column(1), passes: column(2) };
  }

  protected get tileCount(): number {
    return tileGrid(this.image, this.tile).count;
  }

  get #statisticsRows(): number {
    return this.statisticsPerTile * this.tileCount;
  }

  /** Returns the number of whole steps in the next submit; 0 if a step must be split. */
  protected stepsPerSubmit(limit: number): number {
    return Math.min(limit, Math.floor(this.tilesPerSubmit / this.tileCount), maxStepsPerSubmit);
  }

  /** Returns the range of all tiles. */
  protected fullRange(step: number): DispatchRange {
    return { size: this.image, first: 0, end: this.tileCount, step };
  }

  /** Returns the ranges that the stages of one whole step read, by index. */
  protected ranges(step: number): DispatchRange[] {
    return [this.fullRange(step)];
  }

  /** Submits whole steps at once; the last one is timed by stage if `timed` and the adapter has a clock. */
  protected submitSteps(count: number, timed: boolean, stages: (firstRange: number) => Stages): void {
    const untimedCount = timed && this.submitter.canTime ? count - 1 : count;
    const ranges: DispatchRange[] = [];
    const dispatches: Dispatch[] = [];
    const beginStep = (step: number) => {
      const first = ranges.length;
      ranges.push(...this.ranges(step));
      return stages(first);
    };
    this.#records.reserve(untimedCount);
    for (let step = this.step + 1; step <= this.step + untimedCount; step++) {
      dispatches.push(...Object.values(beginStep(step)));
      if (!this.#isRecorded(step)) continue;
      dispatches.push(this.#summary(ranges.length));
      ranges.push(this.#rowOf(this.#records.add(step), step));
    }
    this.submit(ranges, dispatches, untimedCount < count ? beginStep(this.step + count) : {});
  }

  #isRecorded(step: number): boolean {
    return this.recordEvery !== undefined && step % this.recordEvery === 0;
  }

  /** Records a step that was submitted by itself if it is due, or the last step of a call. */
  protected record(step: number, isLast = false): void {
    if (this.recordEvery === undefined || !(isLast || this.#isRecorded(step))) return;
    if (this.#records.latest === step) return;
    this.#records.reserve(1);
    this.#summarize(this.#records.add(step), step);
  }

  /** Discards the records of steps after this one, which did not complete. */
  protected discardRecords(step: number): void {
    this.#records.discard(step);
  }

  #summarize(row: number, step: number): void {
    this.submit([this.#rowOf(row, step)], [this.#summary(0)]);
  }

  #summary(range: number): Dispatch {
    return { kernel: this.summarize, workgroups: this.#records.workgroups, range };
  }

  /** Returns the range of a summary, which is its row. */
  #rowOf(row: number, step: number): DispatchRange {
    return { size: this.image, first: row, end: row + 1, step };
  }

  protected async readValues(
    name: "parameters" | "firstMoments" | "secondMoments" | "gradients",
  ): Promise<Float32Array> {
    const bytes = 4 * parameterCount * this.config.blobs;
    return new Float32Array(await this.memory.read(this.buffers.get(name)!, bytes));
  }

  /** Returns the last step that is complete after all work submitted so far. */
  protected async completedStep(): Promise<number> {
    return this.step;
  }
}
