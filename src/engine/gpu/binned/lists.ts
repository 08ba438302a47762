import type { GpuMemory } from "../memory.js";
import { entryBytes, type Layout, pairsPerBlob, segmentBytes, slotBytes, spare, tilePixels } from "./layout.js";
import { mostPairs } from "./limits.js";

/** The kernels count no further. */
const mostCounted = 2 ** 32 - 1;

/** Says how many pairs of a tile and a blob are too many, and with about how many blobs like these there would be room. */
export function refusal(pairs: number, most: number, blobs: number): string {
  const times = pairs < mostCounted ? `${pairs}` : `${mostCounted} or more`;
  const fitting = Math.floor((blobs * most) / pairs);
  const advice = pairs < mostCounted ? `about ${fitting} blobs would fit` : `less than ${fitting} blobs would fit`;
  return `The blobs meet their tiles ${times} times, and this adapter has room for ${most}: ${advice}.`;
}

/** The buffers in which the lists of one tile grid are built, by binding: see shaders/binned/. */
export class Lists {
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
    readonly blobs: number,
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
      throw new Error(refusal(pairs, most, this.blobs));
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
  async read(): Promise<{ pairs: number; halted: boolean; step: number }> {
    const { stepAtReset } = this;
    const [pairs, , , , , halted, stepsDone] = new Uint32Array(await this.memory.read(this.buffers.get(16)!, 32));
    return { pairs, halted: halted !== 0, step: stepAtReset + stepsDone };
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
