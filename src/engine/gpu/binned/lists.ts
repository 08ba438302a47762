import type { AdapterLimits } from "../../config.js";
import type { GpuMemory } from "../memory.js";
import { structBytes } from "../structs.js";
import { capacityFactor, type Layout, segmentBytes, tilePixels, wordsPerTile } from "./layout.js";
import { maxIntersections } from "./limits.js";

/** The kernels' counter saturates here. */
const maxCounted = 2 ** 32 - 1;

/** Returns the error for too many intersections in one row of tiles, with the number of such blobs that would fit. */
export function overflowMessage(intersections: number, maxIntersections: number, blobs: number): string {
  const isExact = intersections < maxCounted;
  const fittingBlobs = Math.floor((blobs * maxIntersections) / intersections);
  return (
    `One row of tiles has ${intersections}${isExact ? "" : " or more"} tile–blob intersections, but at most ` +
    `${maxIntersections} fit this adapter: use ${isExact ? "about" : "fewer than"} ${fittingBlobs} blobs.`
  );
}

/** What lists are for. */
interface ListJob {
  /** Limits of a single buffer. */
  limits: AdapterLimits;
  layout: Layout;
  blobs: number;
  /** Number of tiles that have lists at the same time. */
  tiles: number;
  /** Shards that count a tile's intersections, unless tiles gather their lists from bits. */
  shards: number;
  gathers: boolean;
  /** Whether gradients are computed too. */
  isTraining: boolean;
}

/** The buffers of the lists of one tile grid, by their names in WGSL: see shaders/binned/. */
export class Lists {
  readonly buffers = new Map<string, GPUBuffer>();
  /** Whether the lists are those of the current parameters. */
  ready = false;
  /** Capacity in tile–blob intersections. */
  capacity = 0;
  /** Capacity in segments. */
  segmentCapacity = 0;
  /** The training step from which the GPU counts. */
  stepAtReset = 0;
  /** Bytes of the tiles' counters or bits. */
  readonly #counters: number;
  /** The largest possible capacity. */
  readonly maxIntersections: number;

  /** @param intersections expected number, see `grow` */
  constructor(
    readonly memory: GpuMemory,
    readonly job: ListJob,
    intersections: number,
  ) {
    const { limits, layout, blobs, tiles, shards, gathers, isTraining } = job;
    this.maxIntersections = maxIntersections(tiles, layout, limits, isTraining);
    this.#add("pixelBlobs", structBytes.PackedBlob * blobs);
    if (!gathers) this.#add("shardStarts", 4 * (shards + 1) * tiles);
    this.#add("tileLists", structBytes.TileList * tiles);
    // Counters and first blobs of each tile's shards, or bits of its blobs.
    this.#counters = 4 * (gathers ? wordsPerTile(blobs) : shards) * tiles;
    this.#add("status", structBytes.Status + (gathers ? 1 : 2) * this.#counters);
    if (isTraining) this.#add("pixels", 16 * tilePixels(layout.tile) * tiles);
    this.grow(intersections);
  }

  /** Allocates capacity for half as many intersections again as given. The lists' contents are lost. */
  grow(intersections: number): void {
    const { layout, tiles, gathers, isTraining } = this.job;
    this.capacity = Math.min(Math.ceil(capacityFactor * intersections), this.maxIntersections);
    this.segmentCapacity = Math.ceil(this.capacity / layout.segmentLength) + tiles;
    this.#add("list", structBytes.Entry * this.capacity);
    this.#add("intersections", structBytes.Intersection * (gathers ? 1 : this.capacity));
    if (!gathers) {
      this.#add("keys", 4 * this.capacity);
      this.#add("sources", 8 * this.capacity);
    }
    this.#add("segments", structBytes.Segment * this.segmentCapacity);
    if (isTraining) {
      this.#add("slots", structBytes.Slot * this.capacity);
      this.#add("segmentStates", segmentBytes(layout) * this.segmentCapacity);
    }
    this.ready = false;
  }

  /** Empties the lists and clears an overflow. Shards keep their first blobs. */
  reset(step: number): void {
    const { errors, gpu } = this.memory;
    errors.within(() => this.#reset(gpu.device));
    this.stepAtReset = step;
  }

  #reset(device: GPUDevice): void {
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(this.buffers.get("status")!, 0, structBytes.Status + this.#counters);
    // An old slot could have the number of the next step.
    if (this.job.isTraining) encoder.clearBuffer(this.buffers.get("slots")!);
    device.queue.submit([encoder.finish()]);
    device.queue.writeBuffer(this.buffers.get("status")!, 0, Uint32Array.of(0, 0, 0, 0, 0, 0, 0, this.capacity));
  }

  /** Reads the status of the lists after all work submitted so far. */
  async read(): Promise<{ intersections: number; overflowed: boolean; step: number }> {
    const { stepAtReset } = this;
    const bytes = await this.memory.read(this.buffers.get("status")!, structBytes.Status);
    const [intersections, , , , , overflowed, steps] = new Uint32Array(bytes);
    return { intersections, overflowed: overflowed !== 0, step: stepAtReset + steps };
  }

  free(): void {
    for (const buffer of this.buffers.values()) this.memory.release(buffer);
  }

  /** Adds or replaces a buffer. */
  #add(name: string, bytes: number): void {
    const before = this.buffers.get(name);
    if (before) this.memory.release(before);
    this.buffers.set(name, this.memory.buffer(name, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes));
  }
}
