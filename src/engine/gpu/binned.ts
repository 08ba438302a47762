import type { TrainingState } from "../blobs.js";
import { type AdapterLimits, ConfigError, type TrainConfig } from "../config.js";
import { tileGrid } from "../cpu/uv.js";
import type { Image, Size } from "../image.js";
import type { Rendering } from "../pipeline.js";
import type { AdapterTraits, Bindings, Gpu, GpuMemory, Kernel, KernelSource } from "./device.js";
import {
  compileAll,
  type Dispatch,
  type GpuJob,
  GpuPipeline,
  modelConstants,
  Pace,
  read,
  type Share,
  type Stages,
  summarize,
  uniforms,
  write,
} from "./pipeline.js";

/**
 * Who takes a segment of a list on the way back: a subgroup, where all have one size; a workgroup, where there are none
 * or of several sizes; a thread, where a CPU plays the GPU. There barriers are slow, and no other kernel of a step has
 * any either.
 */
export type Division = "Subgroup" | "Workgroup" | "Thread";

function divisionOf({ isSoftware, subgroupSize }: AdapterTraits): Division {
  if (isSoftware) return "Thread";
  return subgroupSize === undefined ? "Workgroup" : "Subgroup";
}

/** How many blobs, tiles and segments a workgroup of the kernels that go by them takes: see shaders/binned/. */
function shareOfWorkgroup(division: Division, { blobs }: TrainConfig, copies: number) {
  if (division === "Thread") return { blobs: 8, tiles: 8, segments: 4 };
  return { blobs: 256 / threadsPerBlob(blobs), tiles: 128 / copies, segments: 1 };
}

/** Rows of statistics that a subtile has: one for each of its rows of pixels where a thread takes such a row. */
function statisticsPerSubtile(division: Division): number {
  return division === "Thread" ? 4 : 1;
}

/** Lists of smaller tiles cost more than they save: such tiles are joined, two and two. In large pictures further. */
const leastTilePixels = 128;
const leastTilePixelsOfLarge = 256;
const largePixels = 2 ** 24;

/** Fewest copies in which the pairs of each tile are counted, so that blobs do not wait for one counter; and most. */
export const fewestCopies = 8;
const mostCopies = 64;

/** Pairs of a tile and a blob for which there is room at first, a blob; and how much more than needed. */
const pairsPerBlob = 8;
const spare = 1.5;

/** The struct Slot of shaders/binned/lists.wgsl. */
export const slotBytes = 48;

/** The struct Entry there. */
export const entryBytes = 48;

/**
 * Entries of a list that are worked on side by side with others. In large pictures, where most lists are shorter, what is
 * kept for each segment weighs more than the time of the few long lists.
 */
export const segmentLength = 64;
const segmentLengthOfLarge = 256;

type Kernels = Record<keyof ReturnType<typeof binnedKernels>, Kernel>;

/** The kernels of the pipeline, as they are compiled for a job on an adapter. */
export function binnedKernels(
  config: TrainConfig,
  image: Size,
  adapter: AdapterTraits,
  division = divisionOf(adapter),
) {
  const { tile, segmentLength } = layoutOf(config, image);
  const [TILE_WIDTH, TILE_HEIGHT] = tile;
  const constants = {
    ...modelConstants(config),
    TILE_WIDTH,
    TILE_HEIGHT,
    SEGMENT_LENGTH: segmentLength,
    CLAMPED: Number(mayClamp(config, image)),
    COPIES: copies(config, tileGrid(image, tile).count),
    LANES: adapter.subgroupSize ?? 1,
    THREADS_PER_BLOB: threadsPerBlob(config.blobs),
  };
  const kernel = (name: string, bindings: Bindings, more = {}): KernelSource => ({
    file: `binned/${name}.wgsl`,
    bindings: { ...uniforms, ...bindings },
    constants: { ...constants, ...more },
  });
  // The kernels that need barriers have a counterpart without.
  const divided = (name: string, bindings: Bindings, more = {}) =>
    kernel(division === "Thread" ? `${name}Thread` : name, bindings, more);
  const blobs: Bindings = { 2: write, 3: write, 6: write, 10: write, 11: write, 12: write, 15: read, 16: write };
  const lists: Bindings = { 12: write, 13: write, 16: write, 18: write, 21: write, 23: write };
  const forward: Bindings = { 4: write, 5: read, 13: read, 14: read, 16: write, 19: write, 20: write, 23: read };
  const backward: Bindings = { 2: read, 14: read, 15: write, 16: read, 18: read, 19: read, 20: read };
  return {
    project: divided("updateBlobs", blobs, { SUM: 0, STEP: 0 }),
    allocateLists: divided("allocateLists", lists),
    fillLists: kernel("fillLists", { 11: write, 16: read, 21: read, 22: write, 24: write }),
    sortLists: kernel("sortLists", { 10: read, 14: write, 16: read, 21: read, 22: read, 24: read }),
    rasterize: divided("rasterize", forward),
    rasterizeBackward: kernel(`rasterizeBackward${division}`, backward),
    updateBlobs: divided("updateBlobs", blobs),
    sumSlots: divided("updateBlobs", blobs, { STEP: 0, PROJECT: 0 }),
    imageMain: divided("imageMain", { 9: write, 13: read, 14: read, 23: read }),
    summarize,
  };
}

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
    this.#perWorkgroup = shareOfWorkgroup(division, config, this.#copies);
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

  advance(steps: number, signal?: AbortSignal, horizon = this.config.steps): Promise<number> {
    return this.inTurn(async () => {
      this.horizon = horizon;
      const before = this.step;
      const target = before + steps;
      while (this.step < target && !signal?.aborted) {
        await this.#prepareLists(this.#lists, this.image);
        const first = this.step;
        const pace = new Pace();
        let submitted = 0;
        // The first submits are short, so that the GPU does not wait until a long one is encoded.
        let most = 4;
        let status = this.#lists.readAhead();
        while (first + submitted < target && !signal?.aborted) {
          const count = Math.min(this.stepsPerSubmit(target - first - submitted), most);
          most *= 4;
          this.step = first + submitted;
          if (count >= 1) {
            this.submitSteps(count, this.step + count === target, (share) => this.#stages(share));
            await this.keepPace(pace, count * this.tileCount);
          } else {
            await this.#sliceStep(pace, this.step + 1, true);
          }
          submitted += Math.max(count, 1);
          // What the submit before this one left; while this one runs.
          if ((await status).halted) break;
          status = this.#lists.readAhead();
        }
        await pace.finish();
        const { halted, stepsDone } = await this.#lists.read();
        this.step = this.#lists.stepAtReset + stepsDone;
        this.#lists.ready = !halted;
      }
      return this.step - before;
    });
  }

  protected override forgetLists(): void {
    this.#lists.ready = false;
    // A slot of other lists could bear the number of the step to come.
    const encoder = this.gpu.device.createCommandEncoder();
    encoder.clearBuffer(this.#lists.buffers.get(15)!);
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  async computeGradients(): Promise<Float32Array> {
    const [gradients] = await this.readInTurn(async () => {
      await this.#prepareLists(this.#lists, this.image);
      await this.#sliceStep(new Pace(), this.step + 1, false);
      return [this.readSlots(3)];
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
        const buffers = new Map([...lists.buffers, [9, picture]]);
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
    for (const [binding, buffer] of this.#lists.buffers) this.buffers.set(binding, buffer);
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
      allocateLists: dispatch(allocateLists, Math.ceil(tiles / this.#perWorkgroup.tiles)),
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

  /** One of the kernels of shaders/binned/updateBlobs.wgsl. */
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

/** The buffers in which the lists of one tile grid are built, by binding: see shaders/binned/. */
class Lists {
  readonly buffers = new Map<number, GPUBuffer>();
  /** Whether the lists are those of the present parameters. */
  ready = false;
  /** Pairs of a tile and a blob that there is room for. */
  capacity = 0;
  /** The training step from which the GPU counts. */
  stepAtReset = 0;

  /** Segments that there is room for. */
  segmentCapacity = 0;

  /** @param train whether gradients are wanted too */
  constructor(
    readonly memory: GpuMemory,
    blobs: number,
    readonly copies: number,
    readonly layout: Layout,
    readonly tiles: number,
    readonly train: boolean,
  ) {
    this.#add(10, "pixelBlobs", 48 * blobs);
    this.#add(12, "tileCounts", 4 * copies * tiles);
    this.#add(21, "copyStarts", 4 * (copies + 1) * tiles);
    this.#add(13, "tileLists", 12 * tiles);
    this.#add(16, "status", 32);
    this.#add(23, "tileOrder", 4 * tiles);
    if (train) this.#add(20, "pixelGradients", 16 * tilePixels(layout.tile) * tiles);
    this.grow(pairsPerBlob * blobs);
  }

  /** Makes room for as many pairs and half as many again. What stood in the lists is gone. */
  grow(pairs: number): void {
    const { limits } = this.memory.gpu;
    const most = mostPairs(this.tiles, this.layout, limits, this.train);
    if (pairs > most) {
      throw new Error(
        `The blobs meet their tiles ${pairs} times, and this adapter has room for ${most}: take fewer blobs.`,
      );
    }
    this.capacity = Math.min(Math.ceil(spare * pairs), most);
    this.segmentCapacity = Math.ceil(this.capacity / this.layout.segmentLength) + this.tiles;
    this.#add(11, "pairs", 12 * this.capacity);
    this.#add(14, "list", entryBytes * this.capacity);
    this.#add(22, "keys", 4 * this.capacity);
    this.#add(24, "places", 8 * this.capacity);
    this.#add(18, "segments", 12 * this.segmentCapacity);
    if (this.train) {
      this.#add(15, "slots", slotBytes * this.capacity);
      this.#add(19, "segmentStates", segmentBytes(this.layout) * this.segmentCapacity);
    }
    this.ready = false;
  }

  /** Empties the lists and lets the kernels run again. */
  reset(step: number): void {
    const { queue } = this.memory.gpu.device;
    queue.writeBuffer(this.buffers.get(12)!, 0, new Uint32Array(this.copies * this.tiles));
    queue.writeBuffer(this.buffers.get(16)!, 0, new Uint32Array([0, 0, 0, 0, 0, 0, 0, this.capacity]));
    this.stepAtReset = step;
  }

  /** What the kernels report, behind all work submitted so far. */
  async read(): Promise<{ pairs: number; halted: boolean; stepsDone: number }> {
    const [pairs, , , , , halted, stepsDone] = new Uint32Array(await this.memory.read(this.buffers.get(16)!, 32));
    return { pairs, halted: halted !== 0, stepsDone };
  }

  /** The same for later. Where what comes before it fails nobody asks for it any more, and its failure is none. */
  readAhead(): ReturnType<Lists["read"]> {
    const status = this.read();
    status.catch(() => {});
    return status;
  }

  free(): void {
    for (const buffer of this.buffers.values()) this.memory.release(buffer);
  }

  /** Adds a buffer, or puts it in the place of another. */
  #add(binding: number, label: string, bytes: number): void {
    const before = this.buffers.get(binding);
    if (before) this.memory.release(before);
    this.buffers.set(binding, this.memory.buffer(label, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes));
  }
}

/** Threads that add up a blob's slots: few blobs are large ones, with many tiles each. */
function threadsPerBlob(blobs: number): number {
  return blobs > 2048 ? 16 : 32;
}

/** The state of each pixel before a segment, and whether each subtile takes blobs of it. */
function segmentBytes({ tile }: Layout): number {
  return 16 * (tilePixels(tile) + Math.ceil(subtiles(tile) / 4));
}

/** Copies of the counters: so many that a copy's part of a list, which is sorted as a whole, stays short. */
function copies({ blobs }: TrainConfig, tiles: number): number {
  const wanted = 2 ** Math.ceil(Math.log2((pairsPerBlob * blobs) / tiles / 24));
  return Math.min(Math.max(wanted, fewestCopies), mostCopies);
}

/** How many pairs of a tile and a blob the adapter can hold: no buffer may be longer than one binding. */
function mostPairs(tiles: number, layout: Layout, limits: AdapterLimits, train: boolean): number {
  const bytes = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  const bySlots = Math.floor(bytes / slotBytes);
  if (!train) return bySlots;
  const bySegments = layout.segmentLength * (Math.floor(bytes / segmentBytes(layout)) - tiles);
  return Math.max(0, Math.min(bySlots, bySegments));
}

/**
 * Refuses a job whose lists the adapter cannot hold, naming the number of blobs that would fit.
 * @throws ConfigError
 */
export function checkListsFit(config: TrainConfig, image: Size, limits: AdapterLimits): void {
  const layout = layoutOf(config, image);
  const { count } = tileGrid(image, layout.tile);
  const mostBlobs = (train: boolean) => Math.floor(mostPairs(count, layout, limits, train) / pairsPerBlob);
  const most = mostBlobs(true);
  if (most === 0) {
    // Half of the segments for the tiles, so that there is room for blobs.
    const bytes = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
    const side = Math.floor(Math.sqrt(Math.floor(bytes / segmentBytes(layout) / 2) * layout.tile[0] * layout.tile[1]));
    const allowed = `at most ${side}x${side}, or as many pixels, in the binned pipeline on this adapter`;
    throw new ConfigError("image", `${image.width}x${image.height}`, allowed);
  }
  const where = most < mostBlobs(false) ? ", with tiles and a picture of this size" : "";
  const allowed = `at most ${most} in the binned pipeline on this adapter${where}`;
  if (config.blobs > most) throw new ConfigError("blobs", config.blobs, allowed);
}

/** Tiles that have lists, and the length of the lists' segments. */
interface Layout {
  tile: [number, number];
  segmentLength: number;
}

function layoutOf({ tile }: TrainConfig, { width, height }: Size): Layout {
  const large = width * height > largePixels;
  return {
    tile: joinedTile(tile, large ? leastTilePixelsOfLarge : leastTilePixels),
    segmentLength: large ? segmentLengthOfLarge : segmentLength,
  };
}

/** Subtiles of a tile: see shaders/binned/segments.wgsl. */
function subtiles([width, height]: [number, number]): number {
  return Math.ceil(width / 8) * Math.ceil(height / 4);
}

/** Pixels that a tile's subtiles cover. */
function tilePixels(tile: [number, number]): number {
  return 32 * subtiles(tile);
}

/** The tile, doubled along its shorter side until it is worth a list. */
export function joinedTile([width, height]: [number, number], pixels = leastTilePixels): [number, number] {
  if (width * height >= pixels) return [width, height];
  return joinedTile(width <= height ? [2 * width, height] : [width, 2 * height], pixels);
}

/**
 * Whether a single pixel's gradient of a raw parameter could exceed the clamp of ±10. With w = 2 / (W·H), |dL/dα| is
 * at most 6 w; through a support of 4σ, |ρ| ≤ 0.825 and slopes of at most 1.5 that bounds the centres by
 * 892 w / √covarianceScale, and all others by 20,400 w.
 */
export function mayClamp(config: TrainConfig, { width, height }: Size): boolean {
  if (config.parameterization === "direct") return false;
  // In a sum the error of a pixel has no bound.
  if (config.blend === "sum") return true;
  const weight = 2 / (width * height);
  return weight * Math.max(892 / Math.sqrt(config.covarianceScale), 20400) > 9.9;
}
