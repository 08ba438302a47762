import type { AdapterLimits } from "../../config.js";
import { wordsPerTile } from "../../model/binned/lists.js";
import type { GpuMemory } from "../memory.js";
import type { Struct } from "../structs.js";
import { capacityFactor, type Layout, segmentBytes, tilePixels } from "./layout.js";
import { maxIntersections } from "./limits.js";

/** The kernels count no further. */
const maxCounted = 2 ** 32 - 1;

/**
 * Says how many pairs of a blob and a tile of one row are too many, and with about how many blobs like these there would be
 * room.
 */
export function overflowMessage(pairs: number, most: number, blobs: number): string {
  const countText = pairs < maxCounted ? `${pairs}` : `${maxCounted} or more`;
  const fittingBlobs = Math.floor((blobs * most) / pairs);
  const advice =
    pairs < maxCounted ? `about ${fittingBlobs} blobs would fit` : `less than ${fittingBlobs} blobs would fit`;
  return `The blobs meet one row of tiles ${countText} times, and this adapter has room for ${most}: ${advice}.`;
}

/** The buffers in which the lists of one tile grid are built, by their names in WGSL: see shaders/binned/. */
export class Lists {
  readonly buffers = new Map<string, GPUBuffer>();
  /** Whether the lists are those of the present parameters. */
  ready = false;
  /** Pairs of a tile and a blob that there is room for. */
  capacity = 0;
  /** The training step from which the GPU counts. */
  stepAtReset = 0;

  /** Segments that there is room for. */
  segmentCapacity = 0;

  /** Bytes of the tiles' counters or bits. */
  readonly #counters: number;

  /** Pairs for which room can be made. */
  readonly maxIntersections: number;

  /**
   * @param limits of any one buffer
   * @param gathers whether tiles gather their lists from bits, instead of counting pairs in so many shards
   * @param tiles that have lists at the same time
   * @param pairs for which there is room at first, and half as many again
   * @param isTraining whether gradients are wanted too
   */
  constructor(
    readonly memory: GpuMemory,
    limits: AdapterLimits,
    readonly blobs: number,
    readonly gathers: boolean,
    shards: number,
    readonly layout: Layout,
    readonly tiles: number,
    pairs: number,
    readonly isTraining: boolean,
  ) {
    this.maxIntersections = maxIntersections(tiles, layout, limits, memory.gpu.shaders, isTraining);
    this.#addArray("pixelBlobs", "PackedBlob", blobs);
    if (!gathers) this.#add("shardStarts", 4 * (shards + 1) * tiles);
    this.#addArray("tileLists", "TileList", tiles);
    // Counters, and first blobs, of a tile's shards; or bits of its blobs.
    this.#counters = 4 * (gathers ? wordsPerTile(blobs) : shards) * tiles;
    this.#add("status", this.#status.bytes + (gathers ? 1 : 2) * this.#counters);
    if (isTraining) this.#add("pixels", 16 * tilePixels(layout.tile) * tiles);
    this.grow(pairs);
  }

  /** Makes room for as many pairs and half as many again. What stood in the lists is gone. */
  grow(pairs: number): void {
    this.capacity = Math.min(Math.ceil(capacityFactor * pairs), this.maxIntersections);
    this.segmentCapacity = Math.ceil(this.capacity / this.layout.segmentLength) + this.tiles;
    this.#addArray("list", "Entry", this.capacity);
    this.#addArray("intersections", "Intersection", this.gathers ? 1 : this.capacity);
    if (!this.gathers) {
      this.#add("keys", 4 * this.capacity);
      this.#add("sources", 8 * this.capacity);
    }
    this.#addArray("segments", "Segment", this.segmentCapacity);
    if (this.isTraining) {
      this.#addArray("slots", "Slot", this.capacity);
      this.#add("segmentStates", segmentBytes(this.layout) * this.segmentCapacity);
    }
    this.ready = false;
  }

  /** Empties the lists and lets the kernels run again. Shards keep their first blobs. */
  reset(step: number): void {
    const { errors, gpu } = this.memory;
    errors.within(() => this.#reset(gpu.device));
    this.stepAtReset = step;
  }

  #reset(device: GPUDevice): void {
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(this.buffers.get("status")!, 0, this.#status.bytes + this.#counters);
    // A slot of other lists could bear the number of the step to come.
    if (this.isTraining) encoder.clearBuffer(this.buffers.get("slots")!);
    device.queue.submit([encoder.finish()]);
    const status = this.#status.encode([{ capacity: this.capacity }]) as BufferSource;
    device.queue.writeBuffer(this.buffers.get("status")!, 0, status);
  }

  /** What the kernels report, behind all work submitted so far. */
  async read(): Promise<{ pairs: number; overflowed: boolean; step: number }> {
    const { stepAtReset } = this;
    const bytes = await this.memory.read(this.buffers.get("status")!, this.#status.bytes);
    const [{ pairs, overflowed, steps }] = this.#status.decode(bytes);
    return { pairs: pairs[0], overflowed: overflowed[0] !== 0, step: stepAtReset + steps[0] };
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

  get #status(): Struct {
    return this.memory.gpu.struct("Status");
  }

  /** Adds a buffer of so many structs, or puts it in the place of another. */
  #addArray(name: string, struct: string, length: number): void {
    this.#add(name, this.memory.gpu.struct(struct).bytes * length);
  }

  /** Adds a buffer, or puts it in the place of another. */
  #add(name: string, bytes: number): void {
    const before = this.buffers.get(name);
    if (before) this.memory.release(before);
    this.buffers.set(name, this.memory.buffer(name, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes));
  }
}
