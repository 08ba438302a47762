import type { GpuMemory } from "../device.js";
import { entryBytes, type Layout, pairsPerBlob, segmentBytes, slotBytes, spare, tilePixels } from "./layout.js";
import { mostPairs } from "./limits.js";

/** How many there are, or are room for: pairs of a tile and a blob, and what the tiles are given for theirs. */
export interface Rooms {
  pairs: number;
  places: number;
  entries: number;
  segments: number;
}

const roomNames = ["pairs", "places", "entries", "segments"] as const;

/** What the kernels report: the struct Status of shaders/binned/lists.wgsl. */
export interface Status extends Rooms {
  halted: boolean;
  stepsDone: number;
}

const statusBytes = 36;

/** Two counters, the first place and the end of the places: see shaders/binned/support.wgsl. */
const cellBytes = 16;

/** The buffers in which the lists of one tile grid are built, by binding: see shaders/binned/. */
export class Lists {
  readonly buffers = new Map<number, GPUBuffer>();
  /** Whether the lists are those of the present parameters. */
  ready = false;
  /** What there is room for. */
  rooms: Rooms = { pairs: 0, places: 0, entries: 0, segments: 0 };
  /** Segments that are given out: some of them empty. */
  segments = 0;
  /** The training step from which the GPU counts. */
  stepAtReset = 0;

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
    this.#add(12, "cells", cellBytes * copies * tiles);
    this.#add(13, "tileLists", 16 * tiles);
    this.#add(16, "status", statusBytes);
    this.#add(23, "tileOrder", 4 * tiles);
    if (train) this.#add(20, "pixelGradients", 16 * tilePixels(layout.tile) * tiles);
    const pairs = pairsPerBlob * blobs;
    this.grow({ pairs, places: pairs, entries: pairs, segments: pairs / layout.segmentLength + tiles });
  }

  /** Makes room for as much and half as much again. What stood in the lists is gone. */
  grow(needed: Rooms): void {
    const most = this.#most();
    for (const name of roomNames) {
      if (needed[name] <= most[name]) continue;
      const room = Math.floor((needed.pairs * most[name]) / needed[name]);
      throw new Error(
        `The blobs meet their tiles ${needed.pairs} times, and this adapter has room for ${room}: take fewer blobs.`,
      );
    }
    const room = (name: keyof Rooms) => Math.min(Math.ceil(spare * needed[name]), most[name]);
    const rooms = { pairs: room("pairs"), places: room("places"), entries: room("entries"), segments: room("segments") };
    this.rooms = rooms;
    this.#add(14, "list", entryBytes * rooms.entries);
    this.#add(24, "places", 8 * rooms.places);
    this.#add(18, "segments", 12 * rooms.segments);
    if (this.train) {
      this.#add(15, "slots", slotBytes * rooms.pairs);
      this.#add(19, "segmentStates", segmentBytes(this.layout) * rooms.segments);
    }
    this.ready = false;
  }

  /** Whether there is room for so much. */
  hold(needed: Rooms): boolean {
    return roomNames.every((name) => needed[name] <= this.rooms[name]);
  }

  /** Empties the lists and lets the kernels run again. */
  reset(step: number): void {
    const { queue } = this.memory.gpu.device;
    queue.writeBuffer(this.buffers.get(12)!, 0, new Uint8Array(cellBytes * this.copies * this.tiles));
    queue.writeBuffer(this.buffers.get(16)!, 0, new Uint32Array([0, 0, 0, 0, 0, 0, 0, 0, this.rooms.pairs]));
    this.stepAtReset = step;
  }

  /** Lets the pairs be counted anew, now that each tile has its room. */
  recount({ segments }: Rooms): void {
    this.segments = segments;
    this.memory.gpu.device.queue.writeBuffer(this.buffers.get(16)!, 0, new Uint32Array(1));
  }

  /** What the kernels report, behind all work submitted so far. */
  async read(): Promise<Status> {
    const words = new Uint32Array(await this.memory.read(this.buffers.get(16)!, statusBytes));
    const [pairs, places, entries, segments, , , halted, stepsDone] = words;
    return { pairs, places, entries, segments, halted: halted !== 0, stepsDone };
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

  /** What the adapter can hold at most: no buffer may be longer than one binding. */
  #most(): Rooms {
    const { limits } = this.memory.gpu;
    const bytes = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
    return {
      pairs: mostPairs(this.tiles, this.layout, limits, this.train),
      places: Math.floor(bytes / 8),
      entries: Math.floor(bytes / entryBytes),
      segments: Math.floor(bytes / (this.train ? segmentBytes(this.layout) : 12)),
    };
  }

  /** Adds a buffer, or puts it in the place of another. */
  #add(binding: number, label: string, bytes: number): void {
    const before = this.buffers.get(binding);
    if (before) this.memory.release(before);
    this.buffers.set(binding, this.memory.buffer(label, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes));
  }
}
