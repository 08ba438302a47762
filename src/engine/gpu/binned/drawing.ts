import { concat } from "../../concat.js";
import type { AdapterLimits } from "../../config.js";
import type { Size } from "../../image/image.js";
import { tileGrid } from "../../model/uv.js";
import type { Rendering } from "../../pipeline.js";
import { describeError } from "../errorScopes.js";
import type { Kernel } from "../kernel.js";
import type { GpuRenderer } from "../renderer.js";
import type { Dispatch, Stages } from "../submitter.js";
import { type Band, splitBand, wholeImage } from "./bands.js";
import type { drawingKernels } from "./kernels.js";
import {
  blobsPerWorkgroup,
  intersectionsPerBlob,
  type Layout,
  layoutOf,
  shardCount,
  subtiles,
  tilesPerWorkgroup,
} from "./layout.js";
import { tilesAtOnce } from "./limits.js";
import { Lists, overflowMessage } from "./lists.js";

/** The kernels that build lists and draw from them, compiled. */
export type DrawingKernels = { [Name in keyof ReturnType<typeof drawingKernels>]: Kernel };

/** Builds tile lists and draws from them, for a renderer or a pipeline. */
export class BinnedDrawing {
  /** The lists of training, for the tiles of the image. */
  lists: Lists | undefined;
  readonly #layout: Layout;
  readonly #shards: number;

  constructor(
    readonly owner: GpuRenderer,
    readonly kernels: DrawingKernels,
    readonly limits: AdapterLimits,
  ) {
    const { config, image, tile } = owner;
    this.#layout = layoutOf(config, image);
    this.#shards = shardCount(config, tileGrid(image, tile).count);
  }

  async render(size: Size): Promise<Rendering> {
    const { width, height } = size;
    const [step, parts] = await this.owner.enqueueRead(async () => {
      const { image, step } = this.owner;
      const trainingLists = width === image.width && height === image.height ? this.lists : undefined;
      const lists = trainingLists ?? this.createLists(size, false);
      const chunks: Promise<ArrayBuffer>[] = [];
      try {
        let bands = await this.prepareLists(lists, size);
        for (; bands.length > 0; bands = await this.buildLists(lists, bands.slice(1))) {
          const { reading } = await this.#draw(lists, bands[0]);
          // Before the lists are freed, or those of the next band replace them.
          if (!trainingLists || bands.length > 1) await reading;
          chunks.push(reading);
        }
        return [step, Promise.all(chunks)];
      } finally {
        if (!trainingLists) lists.free();
      }
    });
    const [pixels] = parts.length === 1 ? parts : [concat(parts.map((part) => new Uint8Array(part))).buffer];
    return { width, height, step, data: new Float32Array(pixels) };
  }

  /** Draws a band from its lists and starts the readback. */
  async #draw(lists: Lists, band: Band) {
    const { owner } = this;
    const { imageMain: kernel } = this.kernels;
    return owner.draw(band.size, (pixels, first, end) => {
      const buffers = new Map([...lists.buffers, ["pixels", pixels]]);
      const workgroups = (end - first) * subtiles(owner.tile);
      owner.submit([{ ...band, first, end, step: owner.step }], [{ kernel, workgroups, range: 0, buffers }]);
    });
  }

  createLists(size: Size, isTraining: boolean): Lists {
    const { config, memory } = this.owner;
    const { limits } = this;
    const [layout, shards] = [this.#layout, this.#shards];
    const gathers = this.kernels.gatherLists !== undefined;
    const tiles = tilesAtOnce(config, size, layout, limits, isTraining, gathers);
    const intersections = Math.ceil((intersectionsPerBlob * config.blobs * tiles) / this.tilesOf(size));
    const job = { limits, layout, blobs: config.blobs, tiles, shards, gathers, isTraining };
    return new Lists(memory, job, intersections);
  }

  /** Returns a dispatch of a kernel over blobs: project, updateBlobs or sumSlots. */
  blobs(kernel: Kernel, range: number): Dispatch {
    const { config } = this.owner;
    const perShard = 16 * Math.ceil(config.blobs / (16 * this.#shards));
    return { kernel, workgroups: this.#shards * Math.ceil(perShard / blobsPerWorkgroup(config)), range };
  }

  /** Returns the stages that build the lists from projected blobs. */
  listStages({ capacity }: Lists, tiles: number, range: number): Stages {
    const { gatherLists, allocateLists, fillLists, sortLists } = this.kernels;
    if (gatherLists) return { gatherLists: { kernel: gatherLists, workgroups: tiles, range } };
    const workgroups = Math.ceil(capacity / 128);
    return {
      allocateLists: { kernel: allocateLists!, workgroups: Math.ceil(tiles / tilesPerWorkgroup), range },
      fillLists: { kernel: fillLists!, workgroups, range },
      sortLists: { kernel: sortLists!, workgroups, range },
    };
  }

  tilesOf(size: Size): number {
    return tileGrid(size, this.owner.tile).count;
  }

  /** Builds the lists of the current parameters for all tiles, or for the first band. @returns the bands */
  async prepareLists(lists: Lists, size: Size): Promise<Band[]> {
    const [, tileHeight] = this.owner.tile;
    const { across } = tileGrid(size, this.owner.tile);
    const image = wholeImage(size);
    if (lists.ready) return [image];
    const bands = await this.buildLists(lists, splitBand(image, tileHeight, Math.floor(lists.job.tiles / across)));
    lists.ready = bands.length === 1;
    return bands;
  }

  /** Builds the lists of the first band, which is halved until they fit. @returns the bands from it on */
  async buildLists(lists: Lists, bands: Band[]): Promise<Band[]> {
    let [band, ...others] = bands;
    while (band) {
      lists.reset(this.owner.step);
      this.owner.rebind();
      const tiles = this.tilesOf(band.size);
      const dispatches = [this.blobs(this.kernels.project, 0), ...Object.values(this.listStages(lists, tiles, 0))];
      this.owner.submit(
        [{ ...band, first: 0, end: tiles, step: this.owner.step }],
        dispatches.map((dispatch) => ({ ...dispatch, buffers: lists.buffers })),
      );
      const { overflowed, intersections } = await lists.read();
      this.owner.gpu.checkAlive();
      if (!overflowed) break;
      if (intersections <= lists.maxIntersections) await this.#grow(lists, intersections);
      else {
        const [, tileHeight] = this.owner.tile;
        const rows = Math.ceil(band.size.height / tileHeight);
        if (rows === 1)
          throw new Error(overflowMessage(intersections, lists.maxIntersections, this.owner.config.blobs));
        [band, ...others] = [...splitBand(band, tileHeight, Math.ceil(rows / 2)), ...others];
      }
    }
    if (lists === this.lists) this.bindLists(lists);
    return band ? [band, ...others] : [];
  }

  /** Binds lists of training with the job's other buffers. */
  bindLists(lists: Lists): void {
    this.lists = lists;
    for (const [name, buffer] of lists.buffers) this.owner.buffers.set(name, buffer);
  }

  async #grow(lists: Lists, intersections: number): Promise<void> {
    const { errors } = this.owner.memory;
    const errorsBefore = await errors.count();
    lists.grow(intersections);
    const error = await errors.takeFirst(errorsBefore);
    if (error) throw new Error(describeError(error, `${intersections} tile–blob intersections: use fewer blobs`));
  }
}
