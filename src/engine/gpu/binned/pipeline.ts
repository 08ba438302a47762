import type { AdapterLimits } from "../../config.js";
import type { Size } from "../../image/image.js";
import type { Band } from "../../model/binned/lists.js";
import { parameterCount } from "../../model/blobs.js";
import { tileGrid } from "../../model/uv.js";
import type { AdvanceOptions, Rendering } from "../../pipeline.js";
import type { Gpu } from "../device.js";
import { describeError } from "../errorScopes.js";
import type { Kernel } from "../kernel.js";
import { Pace } from "../pace.js";
import { compileAll, type GpuJob, GpuPipeline, type Trial } from "../pipeline.js";
import type { Share } from "../uniforms.js";
import { bandsOf, halvesOf, isWhole } from "./bands.js";
import { Dispatches, type Kernels } from "./dispatches.js";
import { bandKernels, binnedKernels } from "./kernels.js";
import {
  type Division,
  divisionOf,
  gathersLists,
  type Layout,
  layoutOf,
  pairsPerBlob,
  shardCount,
  statisticsPerSubtile,
  subtiles,
} from "./layout.js";
import { mostGathering, rowsAtOnce } from "./limits.js";
import { Lists, refusal } from "./lists.js";

type BandKernels = Record<keyof ReturnType<typeof bandKernels>, Kernel>;

/**
 * The fast pipeline: tile lists are built once a step for all tiles, and each pair of a tile and a blob has a slot of
 * its own for its part of the gradient, so that nothing is summed by atomics and the same config gives the same bits.
 * Where there is no room for the lists of all tiles, a step goes through the picture in bands of rows of tiles, from its
 * top, and the blobs' gradients add up over these before Adam's step. A band whose lists do not fit is halved, so that how
 * the bands are cut follows from the parameters and the adapter's limits alone.
 */
export class BinnedPipeline extends GpuPipeline {
  readonly #kernels: Kernels;
  /** Those of bands, once there are any. */
  #bandKernels: BandKernels | undefined;
  readonly #trial: Trial;
  readonly #lists: Lists;
  #view: Lists | undefined;
  readonly #layout: Layout;
  readonly #dispatches: Dispatches;
  readonly #shards: number;
  readonly #pace = new Pace();
  /** The step that was asked for. */
  #end = 0;
  /** What the latest submit leaves, as long as nobody knows whether its steps are done. */
  #status: ReturnType<Lists["readAhead"]> | undefined;

  private constructor(
    gpu: Gpu,
    kernels: Kernels,
    private readonly division: Division,
    private readonly limits: AdapterLimits,
    { config, image, state, ...trial }: GpuJob,
  ) {
    const layout = layoutOf(config, image);
    const statisticsPerTile = subtiles(layout.tile) * statisticsPerSubtile(division);
    super(gpu, config, layout.tile, image, state, kernels.summarize, statisticsPerTile);
    this.#trial = trial;
    this.#layout = layout;
    this.#kernels = kernels;
    this.#shards = shardCount(config, this.tileCount);
    this.#dispatches = new Dispatches(division, config, layout.tile, this.#shards);
    this.#lists = this.#makeLists(image, true);
    this.#bindLists();
  }

  /**
   * Compiles the kernels and fills the buffers. Fails with one sentence where memory does not suffice.
   * @param limits of the buffers; the adapter's own, or narrower
   * @param gathers whether tiles gather their lists, or pairs are counted and sorted: the bits are the same
   */
  static async open(
    gpu: Gpu,
    job: GpuJob,
    division = divisionOf(gpu),
    limits: AdapterLimits = gpu.limits,
    gathers = gathersLists(division, job.config, job.image),
  ): Promise<BinnedPipeline> {
    const sources = binnedKernels(job.config, job.image, gpu, division, gathers);
    const kernels = await compileAll(gpu, sources, job);
    const make = () => new BinnedPipeline(gpu, kernels, division, limits, job);
    return GpuPipeline.allocate(job.config, job.image, make);
  }

  async advance(steps: number, options: AdvanceOptions = {}): Promise<number> {
    const { signal, horizon = this.config.steps, recordEvery } = options;
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
      const bands = await this.#prepareLists(this.#lists, this.image);
      if (!bands.every(isWhole)) {
        await this.#stepInBands(bands);
        continue;
      }
      const count = Math.min(this.stepsPerSubmit(this.#end - this.step), most);
      most *= 2;
      if (count >= 1) this.submitSteps(count, this.step + count === this.#end, (share) => this.#stages(share));
      else await this.#sliceStep(this.#pace, this.step + 1, bands[0], true);
      this.step += Math.max(count, 1);
      if (count < 1) this.record(this.step);
      const before = this.#status;
      this.#status = this.#lists.readAhead();
      if (count >= 1) {
        this.tilesPerSubmit = await this.keepPace(this.#pace, count * this.tileCount, this.tilesPerSubmit);
      }
      // What the submit before this one left; while this one runs.
      if ((await before)?.halted) await this.#look();
    }
    if (this.step > first) this.record(this.step, true);
  }

  async #stepInBands(bands: Band[]): Promise<void> {
    await this.#addGradients(this.#pace, bands);
    const { updateBlobs } = this.#bandKernels!;
    const workgroups = Math.ceil((parameterCount * this.config.blobs) / 256);
    this.step++;
    this.submit([this.whole(this.step)], [{ kernel: updateBlobs, workgroups, share: 0 }]);
    this.record(this.step);
  }

  /** The gradients of the step to come, band by band. */
  async #addGradients(pace: Pace, first: Band[]): Promise<void> {
    for (let bands = first; bands.length > 0; bands = await this.#buildLists(this.#lists, bands.slice(1)))
      await this.#sliceStep(pace, this.step + 1, bands[0], false);
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
  }

  async computeGradients(): Promise<Float32Array> {
    const [gradients] = await this.readInTurn(async () => {
      await this.#addGradients(new Pace(), await this.#prepareLists(this.#lists, this.image));
      return [this.readValues("gradients")];
    });
    return gradients;
  }

  async render(size: Size): Promise<Rendering> {
    const { width, height } = size;
    const [step, parts] = await this.readInTurn(async () => {
      const own = width === this.image.width && height === this.image.height;
      const { errors } = this.memory;
      const before = own ? 0 : await errors.count();
      const lists = own ? this.#lists : this.#viewLists(size);
      const parts: Promise<ArrayBuffer>[] = [];
      try {
        let bands = await this.#prepareLists(lists, size);
        for (; bands.length > 0; bands = await this.#buildLists(lists, bands.slice(1))) {
          const { reading } = await this.#draw(lists, bands[0]);
          // What there was no room for is told by then.
          if (!own || bands.length > 1) await reading;
          parts.push(reading);
        }
        return [this.step, Promise.all(parts)];
      } finally {
        // Lists for which there was no room are not kept.
        if (!own && (await errors.count()) > before) this.#forgetView();
      }
    });
    return { width, height, step, data: joined(parts) };
  }

  /** Draws a band from its lists, and asks for what it drew. */
  async #draw(lists: Lists, band: Band): Promise<{ reading: Promise<ArrayBuffer> }> {
    const bytes = 16 * band.size.width * band.size.height;
    const picture = this.memory.buffer("picture", GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes);
    try {
      const buffers = new Map([...lists.buffers, ["pixels", picture]]);
      const { imageMain: kernel } = await this.#kernelsOf(band);
      await this.inSlices(new Pace(), this.#tilesOf(band.size), this.tilesPerSubmit, (first, end) => {
        this.submit(
          [{ ...band, first, end, step: this.step }],
          [{ kernel, workgroups: (end - first) * subtiles(this.tile), share: 0, buffers }],
        );
      });
      return { reading: this.memory.read(picture, bytes) };
    } finally {
      this.memory.release(picture);
    }
  }

  #forgetView(): void {
    this.#view?.free();
    this.#view = undefined;
  }

  /** Lists of a view; kept for the next one of as many tiles, which is likely to be the same view. */
  #viewLists(size: Size): Lists {
    const tiles = this.#tilesAtOnce(size, false);
    if (this.#view?.tiles !== tiles) {
      // Where there is no room for new ones, the old ones are gone all the same.
      this.#forgetView();
      this.#view = this.#makeLists(size, false);
    }
    this.#view.ready = false;
    return this.#view;
  }

  #makeLists(size: Size, train: boolean): Lists {
    const { blobs } = this.config;
    const tiles = this.#tilesAtOnce(size, train);
    const pairs = Math.ceil((pairsPerBlob * blobs * tiles) / this.#tilesOf(size));
    const { memory, limits } = this;
    return new Lists(memory, limits, blobs, this.#gathers, this.#shards, this.#layout, tiles, pairs, train);
  }

  get #gathers(): boolean {
    return "gatherLists" in this.#kernels;
  }

  /** Tiles of a picture that have lists at the same time, as far as can be known before these are built. */
  #tilesAtOnce(size: Size, train: boolean): number {
    const { across } = tileGrid(size, this.tile);
    const { config, limits } = this;
    const { shaders } = this.gpu;
    const rows = rowsAtOnce(config, size, this.#layout, limits, shaders, train);
    const most = this.#gathers ? Math.max(1, Math.floor(mostGathering(config.blobs, limits, shaders) / across)) : rows;
    return across * Math.min(rows, most);
  }

  #tilesOf(size: Size): number {
    return tileGrid(size, this.tile).count;
  }

  async #kernelsOf(band: Band): Promise<Kernels> {
    if (isWhole(band)) return this.#kernels;
    if (!this.#bandKernels) {
      const sources = bandKernels(this.config, this.image, this.gpu, this.division, this.#gathers);
      this.#bandKernels = await compileAll(this.gpu, sources, this.#trial);
    }
    return { ...this.#kernels, ...this.#bandKernels };
  }

  /** Builds the lists of the present parameters: of all tiles, or of the first band. @returns the bands */
  async #prepareLists(lists: Lists, size: Size): Promise<Band[]> {
    const [, tileHeight] = this.tile;
    const { across, down } = tileGrid(size, this.tile);
    if (lists.ready) return bandsOf(size, tileHeight, down);
    const bands = await this.#buildLists(lists, bandsOf(size, tileHeight, Math.floor(lists.tiles / across)));
    lists.ready = bands.every(isWhole);
    return bands;
  }

  /** Builds the lists of the first of some bands, and halves it until they fit. @returns the bands from it on */
  async #buildLists(lists: Lists, bands: Band[]): Promise<Band[]> {
    let [band, ...others] = bands;
    while (band) {
      const kernels = await this.#kernelsOf(band);
      lists.reset(this.step);
      this.rebind();
      const tiles = this.#tilesOf(band.size);
      const stages = this.#dispatches.lists(kernels, lists, tiles, 0);
      const dispatches = [this.#dispatches.blobs(kernels.project, 0), ...Object.values(stages)];
      this.submit(
        [{ ...band, first: 0, end: tiles, step: this.step }],
        dispatches.map((dispatch) => ({ ...dispatch, buffers: lists.buffers })),
      );
      const { halted, pairs } = await lists.read();
      this.gpu.checkAlive();
      if (!halted) break;
      if (pairs <= lists.mostPairs) await this.#grow(lists, pairs);
      else {
        const halves = halvesOf(band, this.tile[1]);
        if (!halves) throw new Error(refusal(pairs, lists.mostPairs, this.config.blobs));
        [band, ...others] = [...halves, ...others];
      }
    }
    if (lists === this.#lists) this.#bindLists();
    return band ? [band, ...others] : [];
  }

  /** The lists of the training steps stand beside the job's other buffers, also for kernels that do not use them. */
  #bindLists(): void {
    for (const [name, buffer] of this.#lists.buffers) this.buffers.set(name, buffer);
  }

  async #grow(lists: Lists, pairs: number): Promise<void> {
    const { errors } = this.memory;
    const before = await errors.count();
    lists.grow(pairs);
    const error = await errors.take(before);
    if (error) throw new Error(describeError(error, `${pairs} pairs of a tile and a blob: take fewer blobs`));
  }

  /** A share of tiles, and one of all segments, which takes as many pixels. */
  protected override shares(step: number): Share[] {
    const share = this.whole(step);
    return [share, { ...share, end: this.#lists.segmentCapacity }];
  }

  #stages(share: number) {
    return this.#dispatches.step(this.#kernels, this.#lists, this.tileCount, share);
  }

  /** A step, or the gradients of one band for it, in as many submits as it takes to keep each short. */
  async #sliceStep(pace: Pace, step: number, band: Band, update: boolean): Promise<void> {
    const segments = this.#lists.segmentCapacity;
    const tiles = this.#tilesOf(band.size);
    const kernels = await this.#kernelsOf(band);
    // The part of a step that takes long is cut by segments; a segment stands for its share of the tiles.
    const perTile = segments / tiles;
    const share = { ...band, first: 0, end: tiles, step };
    const dispatches = this.#dispatches;
    const after = update
      ? [dispatches.blobs(kernels.updateBlobs, 0), ...Object.values(dispatches.lists(kernels, this.#lists, tiles, 0))]
      : [dispatches.blobs(kernels.sumSlots, 0)];
    for (let first = 0; first < segments; ) {
      const end = Math.min(first + Math.max(1, Math.floor(this.tilesPerSubmit * perTile)), segments);
      const { rasterize, rasterizeBackward } = dispatches.gradients(kernels, tiles, end - first, 0);
      this.submit(
        [share, { ...share, first, end }],
        [...(first === 0 ? [rasterize] : []), rasterizeBackward, ...(end === segments ? after : [])],
      );
      const done = Math.max(1, Math.round((end - first) / perTile));
      this.tilesPerSubmit = await this.keepPace(pace, done, this.tilesPerSubmit);
      first = end;
    }
  }
}

/** What was read of a picture's bands, from its top. */
function joined(parts: ArrayBuffer[]): Float32Array {
  if (parts.length === 1) return new Float32Array(parts[0]);
  const all = new Float32Array(parts.reduce((sum, { byteLength }) => sum + byteLength / 4, 0));
  let at = 0;
  for (const part of parts) {
    all.set(new Float32Array(part), at);
    at += part.byteLength / 4;
  }
  return all;
}
