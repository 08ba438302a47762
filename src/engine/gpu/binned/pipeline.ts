import type { TrainConfig } from "../../config.js";
import type { TrainingState } from "../../model/blobs.js";
import { tileGrid } from "../../model/uv.js";
import type { Image, Size } from "../../picture/image.js";
import type { Rendering } from "../../pipeline.js";
import type { Gpu } from "../device.js";
import type { Kernel } from "../kernel.js";
import { Pace } from "../pace.js";
import { compileAll, type GpuJob, GpuPipeline } from "../pipeline.js";
import type { Dispatch, Stages } from "../submitter.js";
import type { Share } from "../uniforms.js";
import { binnedKernels } from "./kernels.js";
import {
  copies,
  type Division,
  divisionOf,
  type Layout,
  layoutOf,
  shareOfWorkgroup,
  statisticsPerSubtile,
  subtiles,
  tilesPerWorkgroup,
} from "./layout.js";
import { Lists } from "./lists.js";

type Kernels = Record<keyof ReturnType<typeof binnedKernels>, Kernel>;

/**
 * The fast pipeline: tile lists are built once a step for all tiles, and each pair of a tile and a blob has a slot of
 * its own for its part of the gradient, so that nothing is summed by atomics and the same config gives the same bits.
 */
export class BinnedPipeline extends GpuPipeline {
  readonly #kernels: Kernels;
  readonly #lists: Lists;
  #view: Lists | undefined;
  readonly #layout: Layout;
  readonly #perWorkgroup: ReturnType<typeof shareOfWorkgroup>;
  readonly #copies: number;
  readonly #pace = new Pace();
  /** The step that was asked for. */
  #end = 0;
  /** What the latest submit leaves, as long as nobody knows whether its steps are done. */
  #status: ReturnType<Lists["readAhead"]> | undefined;

  private constructor(
    gpu: Gpu,
    kernels: Kernels,
    division: Division,
    config: TrainConfig,
    layout: Layout,
    image: Image,
    state: TrainingState,
  ) {
    const statisticsPerTile = subtiles(layout.tile) * statisticsPerSubtile(division);
    super(gpu, config, layout.tile, image, state, kernels.summarize, statisticsPerTile);
    this.#layout = layout;
    this.#kernels = kernels;
    this.#copies = copies(config, this.tileCount);
    this.#perWorkgroup = shareOfWorkgroup(division, config);
    this.#lists = new Lists(this.memory, config.blobs, this.#copies, layout, this.tileCount, true);
    this.#bindLists();
  }

  /** Compiles the kernels and fills the buffers. Fails with one sentence where memory does not suffice. */
  static async open(gpu: Gpu, job: GpuJob, division = divisionOf(gpu)): Promise<BinnedPipeline> {
    const { config, image, state } = job;
    const kernels = await compileAll(gpu, binnedKernels(config, image, gpu, division), job);
    const make = () => new BinnedPipeline(gpu, kernels, division, config, layoutOf(config, image), image, state);
    return GpuPipeline.allocate(gpu, config, image, make);
  }

  async advance(
    steps: number,
    signal?: AbortSignal,
    horizon = this.config.steps,
    recordEvery?: number,
  ): Promise<number> {
    const [before, end, status] = await this.readInTurn(async () => {
      this.horizon = horizon;
      this.recordEvery = recordEvery;
      const before = this.step;
      this.#end = before + steps;
      await this.#submitSteps(signal);
      this.#end = this.step;
      return [before, this.step, this.#status];
    }, true);
    if (!status?.halted) return Math.max(0, end - before);
    // Steps that there was no room for are taken again, by those that were asked for next or now.
    await this.inTurn(async () => {});
    return Math.max(0, Math.min(end, this.step) - before);
  }

  /** Submits the steps up to the end, without waiting for the last ones. */
  async #submitSteps(signal?: AbortSignal): Promise<void> {
    const first = this.step;
    // Where the GPU has nothing to do the first submits are short, and each at most twice as long as the one before, so
    // that it does not wait until a long one is encoded.
    let most = this.#status ? Number.POSITIVE_INFINITY : 16;
    while (this.step < this.#end && !signal?.aborted) {
      if (!this.#lists.ready) await this.#prepareLists(this.#lists, this.image);
      const count = Math.min(this.stepsPerSubmit(this.#end - this.step), most);
      most *= 2;
      if (count >= 1) this.submitSteps(count, this.step + count === this.#end, (share) => this.#stages(share));
      else await this.#sliceStep(this.#pace, this.step + 1, true);
      this.step += Math.max(count, 1);
      if (count < 1) this.record(this.step);
      const before = this.#status;
      this.#status = this.#lists.readAhead();
      if (count >= 1) await this.keepPace(this.#pace, count * this.tileCount);
      // What the submit before this one left; while this one runs.
      if ((await before)?.halted) await this.#look();
    }
    if (this.step > first) this.record(this.step, true);
  }

  /** Waits for what was submitted, and sees how far it came. */
  async #look(): Promise<void> {
    const { halted, step } = (await this.#status)!;
    this.#status = undefined;
    this.step = step;
    this.#lists.ready = !halted;
    this.forgetRecords(step);
  }

  protected override async stepDone(): Promise<number> {
    const { step } = this;
    return (await this.#status)?.step ?? step;
  }

  protected override async settle(): Promise<void> {
    while (this.#status) {
      await this.#look();
      await this.#submitSteps();
    }
  }

  protected override forgetLists(): void {
    this.#lists.ready = false;
    // A slot of other lists could bear the number of the step to come.
    const encoder = this.gpu.device.createCommandEncoder();
    encoder.clearBuffer(this.#lists.buffers.get("slots")!);
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  async computeGradients(): Promise<Float32Array> {
    const [gradients] = await this.readInTurn(async () => {
      await this.#prepareLists(this.#lists, this.image);
      await this.#sliceStep(new Pace(), this.step + 1, false);
      return [this.readSlots("gradients")];
    });
    return gradients;
  }

  async render(size: Size): Promise<Rendering> {
    const { width, height } = size;
    const [step, data] = await this.readInTurn(async () => {
      const own = width === this.image.width && height === this.image.height;
      const tiles = tileGrid(size, this.tile).count;
      const lists = own ? this.#lists : this.#viewLists(tiles);
      const bytes = 16 * width * height;
      const reports = this.gpu.reports.length;
      const picture = this.memory.buffer("picture", GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes);
      try {
        await this.#prepareLists(lists, size);
        const buffers = new Map([...lists.buffers, ["pixels", picture]]);
        const kernel = this.#kernels.imageMain;
        await this.inSlices(new Pace(), size, tiles, (first, end) => {
          this.submit(
            [{ size, first, end, step: this.step }],
            [{ kernel, workgroups: (end - first) * subtiles(this.tile), share: 0, buffers }],
          );
        });
        const reading = this.memory.read(picture, bytes);
        // What there was no room for is told by then.
        if (!own) await reading;
        return [this.step, reading];
      } finally {
        this.memory.release(picture);
        // Lists for which there was no room are not kept.
        if (this.gpu.reports.length > reports) this.#forgetView();
      }
    });
    return { width, height, step, data: new Float32Array(data) };
  }

  #forgetView(): void {
    this.#view?.free();
    this.#view = undefined;
  }

  /** Lists of a view of so many tiles; kept for the next one of as many, which is likely to be the same view. */
  #viewLists(tiles: number): Lists {
    if (this.#view?.tiles !== tiles) {
      // Where there is no room for new ones, the old ones are gone all the same.
      this.#forgetView();
      this.#view = new Lists(this.memory, this.config.blobs, this.#copies, this.#layout, tiles, false);
    }
    this.#view.ready = false;
    return this.#view;
  }

  /** Builds the lists of the present parameters, and makes room until they fit. */
  async #prepareLists(lists: Lists, size: Size): Promise<void> {
    while (!lists.ready) {
      lists.reset(this.step);
      this.rebind();
      const tiles = tileGrid(size, this.tile).count;
      const share = { size, first: 0, end: tiles, step: this.step };
      const project = { ...this.#blobs(this.#kernels.project, 0), buffers: lists.buffers };
      this.submit([share], [project, ...Object.values(this.#listStages(lists, tiles, 0))]);
      const { halted, pairs } = await lists.read();
      this.gpu.checkAlive();
      if (halted) await this.#grow(lists, pairs);
      else lists.ready = true;
    }
    if (lists === this.#lists) this.#bindLists();
  }

  /** The lists of the training steps stand beside the job's other buffers, also for kernels that do not use them. */
  #bindLists(): void {
    for (const [name, buffer] of this.#lists.buffers) this.buffers.set(name, buffer);
  }

  async #grow(lists: Lists, pairs: number): Promise<void> {
    const { device } = this.gpu;
    device.pushErrorScope("out-of-memory");
    let refused: unknown;
    try {
      lists.grow(pairs);
    } catch (error) {
      refused = error;
    }
    const lacking = await device.popErrorScope();
    if (refused) throw refused;
    if (lacking)
      throw new Error(`The GPU has too little memory for ${pairs} pairs of a tile and a blob: take fewer blobs.`);
  }

  #listStages({ buffers, capacity }: Lists, tiles: number, share: number): Stages {
    const { allocateLists, fillLists, sortLists } = this.#kernels;
    const dispatch = (kernel: Kernel, workgroups: number): Dispatch => ({ kernel, workgroups, share, buffers });
    return {
      allocateLists: dispatch(allocateLists, Math.ceil(tiles / tilesPerWorkgroup)),
      fillLists: dispatch(fillLists, Math.ceil(capacity / 128)),
      sortLists: dispatch(sortLists, Math.ceil(capacity / 128)),
    };
  }

  protected override shares(step: number): Share[] {
    return [this.whole(step), { ...this.whole(step), end: this.#lists.segmentCapacity }];
  }

  #stages(share: number): Stages {
    const updateBlobs = this.#blobs(this.#kernels.updateBlobs, share);
    return { ...this.#gradientStages(share), updateBlobs, ...this.#ownListStages(share) };
  }

  /** From the lists to the slots. */
  #gradientStages(share: number): Stages {
    const { rasterize, rasterizeBackward } = this.#kernels;
    const segments = this.#lists.segmentCapacity;
    return {
      rasterize: { kernel: rasterize, workgroups: this.tileCount * subtiles(this.tile), share },
      rasterizeBackward: { kernel: rasterizeBackward, workgroups: this.#backwardGroups(segments), share: share + 1 },
    };
  }

  /** One of the kernels of shaders/binned/7-updateBlobs.wgsl. */
  #blobs(kernel: Kernel, share: number): Dispatch {
    const perCopy = 16 * Math.ceil(this.config.blobs / (16 * this.#copies));
    return { kernel, workgroups: this.#copies * Math.ceil(perCopy / this.#perWorkgroup.blobs), share };
  }

  /** The same with the bind groups that are kept. */
  #ownListStages(share: number): Stages {
    const stages = this.#listStages(this.#lists, this.tileCount, share);
    for (const stage of Object.values(stages)) delete stage.buffers;
    return stages;
  }

  #backwardGroups(segments: number): number {
    return Math.ceil(segments / this.#perWorkgroup.segments);
  }

  /** One step in as many submits as it takes to keep each short. */
  async #sliceStep(pace: Pace, step: number, update: boolean): Promise<void> {
    const segments = this.#lists.segmentCapacity;
    const { rasterize, rasterizeBackward } = this.#gradientStages(0);
    // The part of a step that takes long is cut by segments; a segment stands for its share of the tiles.
    const perTile = segments / this.tileCount;
    for (let first = 0; first < segments; ) {
      const end = Math.min(first + Math.max(1, Math.floor(this.tilesPerSubmit * perTile)), segments);
      const { updateBlobs, sumSlots } = this.#kernels;
      const after = update
        ? [this.#blobs(updateBlobs, 0), ...Object.values(this.#ownListStages(0))]
        : [this.#blobs(sumSlots, 0)];
      this.submit(
        [...this.shares(step), { ...this.whole(step), first, end }],
        [
          ...(first === 0 ? [rasterize] : []),
          { ...rasterizeBackward, workgroups: this.#backwardGroups(end - first), share: 2 },
          ...(end === segments ? after : []),
        ],
      );
      await this.keepPace(pace, Math.max(1, Math.round((end - first) / perTile)));
      first = end;
    }
  }
}
