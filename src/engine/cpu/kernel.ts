import { listCapacity, type TrainConfig } from "../config.js";
import type { FloatImage, Image, Size } from "../image/image.js";
import { gradientLimitOf, mayClamp } from "../model/accumulate.js";
import { adamConstants } from "../model/adam.js";
import { attenuationOf } from "../model/blend.js";
import { highestAlpha } from "../model/blob.js";
import { parameterCount } from "../model/blobs.js";
import { calcUV, tileGrid } from "../model/uv.js";
import { kernelBytes } from "./kernelBytes.js";

/** What a kernel is set up with: it can be sent to a worker that knows nothing else. */
export interface KernelSetup {
  config: TrainConfig;
  /** The size of the picture that is drawn. */
  size: Size;
  /** The picture that the blobs learn; its pixels are needed only to differentiate. */
  target: Image;
}

/** What a part adds to the loss and its gradient. The arrays are views of the kernel's memory until its next call. */
export interface TaskDerivatives {
  /** Σ over the part's pixels and rgb of (out − target)². */
  squaredError: number;
  /** The blobs that reach the part, ascending. */
  blobs: Uint32Array;
  /** dL/draw of these blobs, nine to a blob. */
  gradients: Float32Array;
  /** Entries in the lists of the part's tiles before each tile, and in all. */
  tileOffsets: Uint32Array;
}

/** RGB and transmittance of a part's pixels, row by row; a view of the kernel's memory until its next call. */
export type TaskPixels = Float32Array;

/** A rectangle of pixels or tiles: from left and top up to, but without, right and bottom. */
interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A tile is at least this wide and high: smaller ones are joined, since each blob costs something in each tile. */
const minTileSide = 16;

/** Parts into which a picture is cut: so many that a dozen threads end together. */
const targetTaskCount = 64;
/** Their sides, in pixels. Shorter ones share too many blobs; longer ones need too much memory. */
const [minTaskSide, maxTaskSide] = [32, 128];

/** Returns the tile of the CPU engine: the config's, or several joined. */
export function joinedTile([width, height]: [number, number]): [number, number] {
  return [width * Math.ceil(minTileSide / width), height * Math.ceil(minTileSide / height)];
}

let kernelCount = 0;
let module: WebAssembly.Module | undefined;

/**
 * The blobs of a job on the tiles of a picture, in the memory of a WebAssembly instance: drawn, differentiated and trained
 * there, part by part. The parts, and so all bits, depend on the setup alone.
 */
export class Kernel {
  /** Distinguishes it from all others of this thread. */
  readonly id = ++kernelCount;
  readonly setup: KernelSetup;
  /** How many parts there are. */
  readonly taskCount: number;
  /** The tile, and how many cover the picture. */
  readonly tile: [number, number];
  readonly tiles: { across: number; down: number; count: number };
  readonly #partTiles: [number, number];
  readonly #partsAcross: number;
  readonly #kernel: KernelExports;
  /** How often the parameters have changed. */
  #version = 0;
  /** The version whose parts are listed. */
  #listed = -1;

  /** @throws Error of one sentence if there is not enough memory */
  constructor(setup: KernelSetup) {
    this.setup = setup;
    const { config, size, target } = setup;
    const { blobs, parameterization, covarianceScale, blend, background } = config;
    this.tile = joinedTile(config.tile);
    this.tiles = tileGrid(size, this.tile);
    const side = Math.min(Math.max(Math.sqrt((size.width * size.height) / targetTaskCount), minTaskSide), maxTaskSide);
    this.#partTiles = [Math.max(1, Math.round(side / this.tile[0])), Math.max(1, Math.round(side / this.tile[1]))];
    const { across, count } = tileGrid({ width: this.tiles.across, height: this.tiles.down }, this.#partTiles);
    this.#partsAcross = across;
    this.taskCount = count;
    module ??= new WebAssembly.Module(kernelBytes());
    const kernel = new WebAssembly.Instance(module).exports as unknown as KernelExports;
    this.#kernel = kernel;
    const { scaleX, scaleY, offsetX, offsetY } = calcUV(size, target);
    const largest = mayClamp(config, target) ? gradientLimitOf(parameterization) : Number.POSITIVE_INFINITY;
    const ceiling = blend === "over" ? highestAlpha : Number.POSITIVE_INFINITY;
    const [fading, backing] = { original: [1, 1], white: [0, 1], black: [0, 0] }[background];
    catchOutOfMemory(() => {
      kernel.setPicture(size.width, size.height, ...this.tile, ...this.#partTiles);
      kernel.setMapping(scaleX, scaleY, offsetX, offsetY);
      const isDirect = Number(parameterization === "direct");
      kernel.setModel(blobs, listCapacity(config), isDirect, target.width, target.height, covarianceScale);
      kernel.setBlending(attenuationOf(blend), ceiling, fading, backing, largest);
      kernel.allocate();
    });
    if (target.data.length === 4 * size.width * size.height) {
      new Uint8ClampedArray(kernel.memory.buffer, kernel.target.value).set(target.data);
    }
  }

  /** How often the parameters have changed. */
  get version(): number {
    return this.#version;
  }

  /** The raw parameters, field-major: a view of the kernel's memory until its next call. */
  get parameters(): Float32Array {
    return this.#floats(this.#kernel.parameters);
  }

  /** dL/draw of the latest sum that was kept, like the parameters. */
  get gradients(): Float32Array {
    return this.#floats(this.#kernel.gradients);
  }

  /** Adam's m and v, like the parameters. */
  get moments(): [first: Float32Array, second: Float32Array] {
    return [this.#floats(this.#kernel.firstMoments), this.#floats(this.#kernel.secondMoments)];
  }

  setParameters(parameters: Float32Array): void {
    this.parameters.set(parameters);
    this.#version++;
  }

  /** The tiles of a part, as columns and rows. */
  taskTiles(taskIndex: number): Area {
    const [width, height] = this.#partTiles;
    const [left, top] = [(taskIndex % this.#partsAcross) * width, Math.floor(taskIndex / this.#partsAcross) * height];
    const { across, down } = this.tiles;
    return { left, top, right: Math.min(left + width, across), bottom: Math.min(top + height, down) };
  }

  /** Lists the blobs of a part's tiles; `tileOffsets` of `TaskDerivatives`. */
  list(taskIndex: number): Uint32Array {
    this.#listParts();
    catchOutOfMemory(() => this.#kernel.listTiles(taskIndex));
    const { left, top, right, bottom } = this.taskTiles(taskIndex);
    return this.#integers(this.#kernel.tileOffsets, (right - left) * (bottom - top) + 1);
  }

  /** One forward and backward pass over the pixels of a part. */
  differentiate(taskIndex: number): TaskDerivatives {
    this.#listParts();
    const kernel = this.#kernel;
    const { width, height } = this.setup.size;
    const squaredError = catchOutOfMemory(() => kernel.differentiate(taskIndex, 1 / (width * height)));
    const count = kernel.memberCount.value;
    const { left, top, right, bottom } = this.taskTiles(taskIndex);
    return {
      squaredError,
      blobs: this.#integers(kernel.members, count),
      gradients: this.#floats(kernel.results, parameterCount * count),
      tileOffsets: this.#integers(kernel.tileOffsets, (right - left) * (bottom - top) + 1),
    };
  }

  /** Forward alone. */
  draw(taskIndex: number): TaskPixels {
    this.#listParts();
    catchOutOfMemory(() => this.#kernel.draw(taskIndex));
    const { left, top, right, bottom } = this.#pixelsOf(taskIndex);
    return this.#floats(this.#kernel.results, 4 * (right - left) * (bottom - top));
  }

  /** Puts what a part was drawn as into its picture. */
  writePixels(taskIndex: number, pixels: TaskPixels, render: FloatImage): void {
    const { left, top, right, bottom } = this.#pixelsOf(taskIndex);
    const length = 4 * (right - left);
    for (let y = top; y < bottom; y++) {
      const from = (y - top) * length;
      render.data.set(pixels.subarray(from, from + length), 4 * (y * render.width + left));
    }
  }

  /** Begins to add up the gradients of parts. */
  beginSum(): void {
    this.#kernel.beginSum();
  }

  /** Adds the gradients of a part, whoever differentiated it. Sums depend on the order. */
  add({ blobs, gradients }: TaskDerivatives): void {
    const kernel = this.#kernel;
    const mark = kernel.mark();
    kernel.addGradients(this.#addressOf(blobs), blobs.length, this.#addressOf(gradients));
    kernel.release(mark);
  }

  /** Keeps the sum as the gradients. */
  keepSum(): void {
    this.#kernel.keepSum();
  }

  /**
   * One step of Adam along the gradients.
   * @param rates η of each parameter of a blob
   * @param frozen not 0 for each blob that stays as it is
   */
  update(rates: ArrayLike<number>, [correction1, correction2]: [number, number], frozen?: Uint8Array): void {
    const { beta1, beta2, epsilon } = adamConstants;
    const before = frozen && [this.parameters, ...this.moments].map((values) => values.slice());
    this.#floats(this.#kernel.rates, parameterCount).set(rates);
    this.#kernel.updateBlobs(beta1, beta2, 1 - beta1, 1 - beta2, epsilon, correction1, correction2);
    if (frozen) {
      for (const [k, values] of [this.parameters, ...this.moments].entries()) {
        for (let slot = 0; slot < values.length; slot++) {
          if (frozen[slot % frozen.length]) values[slot] = before![k][slot];
        }
      }
    }
    this.#version++;
  }

  #listParts(): void {
    if (this.#listed === this.#version) return;
    catchOutOfMemory(() => this.#kernel.listParts());
    this.#listed = this.#version;
  }

  #pixelsOf(taskIndex: number): Area {
    const { left, top, right, bottom } = this.taskTiles(taskIndex);
    const [tileWidth, tileHeight] = this.tile;
    const { width, height } = this.setup.size;
    return {
      left: left * tileWidth,
      top: top * tileHeight,
      right: Math.min(right * tileWidth, width),
      bottom: Math.min(bottom * tileHeight, height),
    };
  }

  /** Where numbers are in the kernel's memory, to which others are copied. */
  #addressOf(numbers: Uint32Array | Float32Array): number {
    const { memory } = this.#kernel;
    if (numbers.buffer === memory.buffer) return numbers.byteOffset;
    const address = catchOutOfMemory(() => this.#kernel.reserve(numbers.byteLength));
    new Uint8Array(memory.buffer, address).set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
    return address;
  }

  #floats({ value }: Address, length = parameterCount * this.setup.config.blobs): Float32Array {
    return new Float32Array(this.#kernel.memory.buffer, value, length);
  }

  #integers({ value }: Address, length: number): Uint32Array {
    return new Uint32Array(this.#kernel.memory.buffer, value, length);
  }
}

/** What src/engine/cpu/kernel/index.ts exports. */
interface KernelExports {
  memory: WebAssembly.Memory;
  setPicture(...numbers: number[]): void;
  setMapping(...numbers: number[]): void;
  setModel(...numbers: number[]): void;
  setBlending(...numbers: number[]): void;
  allocate(): void;
  listParts(): void;
  listTiles(taskIndex: number): void;
  differentiate(taskIndex: number, weight: number): number;
  draw(taskIndex: number): void;
  beginSum(): void;
  addGradients(blobs: number, count: number, gradients: number): void;
  keepSum(): void;
  updateBlobs(...numbers: number[]): void;
  mark(): number;
  release(mark: number): void;
  reserve(bytes: number): number;
  parameters: Address;
  target: Address;
  gradients: Address;
  firstMoments: Address;
  secondMoments: Address;
  rates: Address;
  members: Address;
  memberCount: Address;
  tileOffsets: Address;
  results: Address;
}

type Address = WebAssembly.Global<"i32">;

/** Does what allocates memory: a kernel traps where there is none. */
function catchOutOfMemory<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw new Error("The CPU engine ran out of memory.");
    throw error;
  }
}
