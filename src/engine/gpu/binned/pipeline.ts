import type { AdapterLimits } from "../../config.js";
import type { Size } from "../../image/image.js";
import { parameterCount } from "../../model/blobs.js";
import { tileGrid } from "../../model/uv.js";
import type { AdvanceOptions, Rendering } from "../../pipeline.js";
import type { Gpu } from "../device.js";
import type { Kernel } from "../kernel.js";
import { Pace } from "../pace.js";
import { type GpuJob, GpuPipeline } from "../pipeline.js";
import { compileAll } from "../renderer.js";
import type { Stages } from "../submitter.js";
import type { DispatchRange } from "../uniforms.js";
import type { Band } from "./bands.js";
import { BinnedDrawing } from "./drawing.js";
import { adamStep, binnedKernels, drawingKernels } from "./kernels.js";
import { type BinnedOptions, layoutOf, subtiles } from "./layout.js";
import type { Lists } from "./lists.js";

/** The kernels of a job, compiled. */
type Kernels = { [Name in keyof ReturnType<typeof binnedKernels>]: Kernel };

/**
 * The fast pipeline: tile lists are built once per step for all tiles, and each tile–blob intersection has a slot for
 * its contribution to the gradient. Nothing is summed by atomics, so the same config gives the same bits. If the lists
 * of all tiles do not fit, a step processes the image in bands of rows of tiles, from its top, and gradients add up
 * over the bands before Adam's step. A band is halved until its lists fit, so bands depend on the parameters and the
 * adapter's limits alone.
 */
export class BinnedPipeline extends GpuPipeline {
  readonly #kernels: Kernels;
  /** Compiled with the first step in bands. */
  #adamStep: Kernel | undefined;
  protected readonly drawing: BinnedDrawing;
  readonly #lists!: Lists;
  readonly #pace = new Pace();
  /** The step to reach. */
  #end = 0;
  /** The status after the latest submit, until it is known whether its steps are complete. */
  #status: ReturnType<Lists["read"]> | undefined;

  private constructor(
    gpu: Gpu,
    kernels: Kernels,
    limits: AdapterLimits,
    readonly job: GpuJob,
  ) {
    const { tile } = layoutOf(job.config, job.image);
    super(gpu, job, tile, kernels.summarize, subtiles(tile));
    this.#kernels = kernels;
    this.drawing = new BinnedDrawing(this, kernels, limits);
    if (job.draws) {
      // The drawing kernel binds them too, but uses them only in training.
      for (const name of ["segmentStates", "tileStatistics", "targetImage"]) this.add(name, 0);
      return;
    }
    this.#lists = this.drawing.createLists(job.image, true);
    this.drawing.bindLists(this.#lists);
  }

  /** Compiles the kernels and fills the buffers. @throws Error if the GPU has too little memory */
  static async open(gpu: Gpu, job: GpuJob, options: BinnedOptions = {}): Promise<BinnedPipeline> {
    const kernelsOf = job.draws ? drawingKernels : binnedKernels;
    const kernels = await compileAll(gpu, kernelsOf(job.config, job.image, gpu, options), job);
    return GpuPipeline.allocate(() => new BinnedPipeline(gpu, kernels as Kernels, options.limits ?? gpu.limits, job));
  }

  render(size: Size): Promise<Rendering> {
    return this.drawing.render(size);
  }

  async advance(steps: number, options: AdvanceOptions = {}): Promise<number> {
    const { signal, horizon = this.config.steps, recordEvery } = options;
    const [before, end, status] = await this.enqueueRead(async () => {
      this.horizon = horizon;
      this.recordEvery = recordEvery;
      const before = this.step;
      this.#end = before + steps;
      await this.#submitSteps(signal);
      this.#end = this.step;
      return [before, this.step, this.#status];
    }, true);
    if (!status?.overflowed) return Math.max(0, end - before);
    // Steps that overflowed are repeated by the next task, or by this one.
    await this.enqueue(async () => {});
    return Math.max(0, Math.min(end, this.step) - before);
  }

  /** Submits the steps up to the end without waiting for the last ones. */
  async #submitSteps(signal?: AbortSignal): Promise<void> {
    const first = this.step;
    // Submits start short and at most double, so that an idle GPU does not wait until a long one is encoded.
    let maxSteps = this.#status ? Number.POSITIVE_INFINITY : 16;
    while (this.step < this.#end && !signal?.aborted) {
      const bands = await this.drawing.prepareLists(this.#lists, this.image);
      if (bands.length > 1) {
        await this.#stepInBands(bands);
        continue;
      }
      const count = Math.min(this.stepsPerSubmit(this.#end - this.step), maxSteps);
      maxSteps *= 2;
      if (count >= 1) this.submitSteps(count, this.step + count === this.#end, (range) => this.#stages(range));
      else await this.#sliceStep(this.#pace, this.step + 1, bands[0], true);
      this.step += Math.max(count, 1);
      if (count < 1) this.record(this.step);
      const before = this.#status;
      this.#status = this.#lists.read();
      // An earlier failure may leave it unread.
      this.#status.catch(() => {});
      if (count >= 1) {
        this.tilesPerSubmit = await this.adaptPace(this.#pace, count * this.tileCount, this.tilesPerSubmit);
      }
      // Check the previous submit while this one runs.
      if ((await before)?.overflowed) await this.#readStatus();
    }
    if (this.step > first) this.record(this.step, true);
  }

  async #stepInBands(bands: Band[]): Promise<void> {
    await this.#addGradients(this.#pace, bands);
    this.#adamStep ??= (await compileAll(this.gpu, { adamStep }, this.job)).adamStep;
    const workgroups = Math.ceil((parameterCount * this.config.blobs) / 256);
    this.step++;
    this.submit([this.fullRange(this.step)], [{ kernel: this.#adamStep, workgroups, range: 0 }]);
    this.record(this.step);
  }

  /** Computes the gradients of the next step, band by band. */
  async #addGradients(pace: Pace, first: Band[]): Promise<void> {
    for (let bands = first; bands.length > 0; bands = await this.drawing.buildLists(this.#lists, bands.slice(1)))
      await this.#sliceStep(pace, this.step + 1, bands[0], false);
  }

  /** Waits for submitted steps and reads which are complete. */
  async #readStatus(): Promise<void> {
    const { overflowed, step } = (await this.#status)!;
    this.#status = undefined;
    this.step = step;
    this.#lists.ready = !overflowed;
    this.discardRecords(step);
  }

  protected override async completedStep(): Promise<number> {
    const { step } = this;
    return (await this.#status)?.step ?? step;
  }

  protected override async settle(): Promise<void> {
    while (this.#status) {
      await this.#readStatus();
      await this.#submitSteps();
    }
  }

  protected override invalidateLists(): void {
    this.#lists.ready = false;
  }

  async computeGradients(): Promise<Float32Array> {
    const [gradients] = await this.enqueueRead(async () => {
      await this.#addGradients(new Pace(), await this.drawing.prepareLists(this.#lists, this.image));
      return [this.readValues("gradients")];
    });
    return gradients;
  }

  /** Returns the range of all tiles, then that of all segments. */
  protected override ranges(step: number): DispatchRange[] {
    const range = this.fullRange(step);
    return [range, { ...range, end: this.#lists.segmentCapacity }];
  }

  /** Returns the stages of a training step in order; the lists are those of the next step. */
  #stages(range: number): Stages {
    return {
      ...this.#gradientStages(this.tileCount, this.#lists.segmentCapacity, range),
      updateBlobs: this.drawing.blobs(this.#kernels.updateBlobs, range),
      ...this.drawing.listStages(this.#lists, this.tileCount, range),
    };
  }

  /** Returns the stages from lists to slots. One reads a range of tiles, the other the next range, of segments. */
  #gradientStages(tiles: number, segments: number, range: number) {
    const { rasterize, rasterizeBackward } = this.#kernels;
    return {
      rasterize: { kernel: rasterize, workgroups: tiles * subtiles(this.tile), range },
      rasterizeBackward: { kernel: rasterizeBackward, workgroups: segments, range: range + 1 },
    };
  }

  /** Submits a step, or one band's gradients for it, in several short submits. */
  async #sliceStep(pace: Pace, step: number, band: Band, update: boolean): Promise<void> {
    const segments = this.#lists.segmentCapacity;
    const tiles = tileGrid(band.size, this.tile).count;
    // The long stage is split by segments; each counts as a fraction of a tile.
    const perTile = segments / tiles;
    const range = { ...band, first: 0, end: tiles, step };
    const { drawing } = this;
    const finalStages = update
      ? [drawing.blobs(this.#kernels.updateBlobs, 0), ...Object.values(drawing.listStages(this.#lists, tiles, 0))]
      : [drawing.blobs(this.#kernels.sumSlots, 0)];
    for (let first = 0; first < segments; ) {
      const end = Math.min(first + Math.max(1, Math.floor(this.tilesPerSubmit * perTile)), segments);
      const { rasterize, rasterizeBackward } = this.#gradientStages(tiles, end - first, 0);
      this.submit(
        [range, { ...range, first, end }],
        [...(first === 0 ? [rasterize] : []), rasterizeBackward, ...(end === segments ? finalStages : [])],
      );
      const done = Math.max(1, Math.round((end - first) / perTile));
      this.tilesPerSubmit = await this.adaptPace(pace, done, this.tilesPerSubmit);
      first = end;
    }
  }
}
