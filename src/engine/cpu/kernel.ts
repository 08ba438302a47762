import { listCapacity, type TrainConfig } from "../config.js";
import type { FloatImage, Image, Size } from "../image/image.js";
import { gradientLimitOf, mayClamp } from "../model/accumulate.js";
import { adamConstants } from "../model/adam.js";
import { attenuationOf } from "../model/blend.js";
import { highestAlpha } from "../model/blob.js";
import { parameterCount } from "../model/blobs.js";
import { calcUV, tileGrid } from "../model/uv.js";
import { kernelBytes } from "./kernelBytes.js";

/** The complete setup of a kernel, which can be sent to a worker. */
export interface KernelSetup {
  config: TrainConfig;
  /** Size of the render. */
  size: Size;
  /** The target; its pixels are needed only to differentiate. */
  target: Image;
}

/**
 * A task's contribution to the loss and its gradient. The arrays are views of the kernel's memory until its next call.
 */
export interface TaskDerivatives {
  /** Σ over the task's pixels and rgb of (out − target)². */
  squaredError: number;
  /** The blobs that overlap the task, ascending. */
  blobs: Uint32Array;
  /** dL/draw of these blobs, nine per blob. */
  gradients: Float32Array;
  /** Number of list entries before each of the task's tiles, and the total. */
  tileOffsets: Uint32Array;
}

/** RGB and transmittance of a task's pixels, row by row; a view of the kernel's memory until its next call. */
export type TaskPixels = Float32Array;

/** A rectangle of pixels or tiles; right and bottom are exclusive. */
interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Minimum width and height of a tile. Smaller ones are joined, since each blob has a cost per tile. */
const minTileSide = 16;

/** Tasks per image: enough to balance a dozen threads. */
const targetTaskCount = 64;
/** Side lengths of a task in pixels. Short ones share too many blobs; long ones need too much memory. */
const [minTaskSide, maxTaskSide] = [32, 128];

/** Returns the tile of the CPU engine: the configured one, or several joined. */
function joinedTile([width, height]: [number, number]): [number, number] {
  return [width * Math.ceil(minTileSide / width), height * Math.ceil(minTileSide / height)];
}

let kernelCount = 0;
let module: WebAssembly.Module | undefined;

/**
 * The blobs of a job in the memory of a WebAssembly instance, which draws, differentiates and trains them task by task:
 * a task is a rectangle of tiles. The tasks, and so all bits, depend on the setup alone.
 */
export class Kernel {
  /** Unique in this thread. */
  readonly id = ++kernelCount;
  readonly setup: KernelSetup;
  readonly taskCount: number;
  /** Size of a tile, and the number of tiles. */
  readonly tile: [number, number];
  readonly tiles: { across: number; down: number; count: number };
  readonly #taskSize: [number, number];
  readonly #kernel: KernelExports;
  #version = 0;
  /** The version of the parameters for which the tasks' blobs are listed. */
  #listedVersion = -1;

  /** @throws Error if there is too little memory */
  constructor(setup: KernelSetup) {
    this.setup = setup;
    const { config, size, target } = setup;
    const { blobs, parameterization, covarianceScale, blend, background } = config;
    this.tile = joinedTile(config.tile);
    this.tiles = tileGrid(size, this.tile);
    const [tileWidth, tileHeight] = this.tile;
    const side = Math.min(Math.max(Math.sqrt((size.width * size.height) / targetTaskCount), minTaskSide), maxTaskSide);
    const [taskWidth, taskHeight] = this.tile.map((tileSide) => Math.max(1, Math.round(side / tileSide)));
    this.#taskSize = [taskWidth, taskHeight];
    module ??= new WebAssembly.Module(kernelBytes());
    const kernel = new WebAssembly.Instance(module).exports as unknown as KernelExports;
    this.#kernel = kernel;
    const [fading, backing] = { original: [1, 1], white: [0, 1], black: [0, 0] }[background];
    const tasksAcross = Math.ceil(this.tiles.across / taskWidth);
    const tasksDown = Math.ceil(this.tiles.down / taskHeight);
    this.taskCount = tasksAcross * tasksDown;
    const job = {
      ...{ width: size.width, height: size.height, tileWidth, tileHeight, taskWidth, taskHeight },
      ...{ tasksAcross, tasksDown },
      ...calcUV(size, target),
      blobs,
      capacity: listCapacity(config),
      isDirect: Number(parameterization === "direct"),
      textureWidth: target.width,
      textureHeight: target.height,
      // Its default is a power, in the last digits of which JavaScript engines differ.
      covarianceScale: Number(covarianceScale.toPrecision(10)),
      attenuation: attenuationOf(blend),
      ceiling: blend === "over" ? highestAlpha : Number.POSITIVE_INFINITY,
      fading,
      backing,
      largestGradient: mayClamp(config, target) ? gradientLimitOf(parameterization) : Number.POSITIVE_INFINITY,
    };
    for (const [name, value] of Object.entries(job)) kernel[name as keyof typeof job].value = value;
    catchOutOfMemory(() => kernel.allocate());
    if (target.data.length === 4 * size.width * size.height) {
      new Uint8ClampedArray(kernel.memory.buffer, kernel.target.value).set(target.data);
    }
  }

  /** Number of changes of the parameters. */
  get version(): number {
    return this.#version;
  }

  /** Raw parameters, field-major; a view of the kernel's memory until its next call. */
  get parameters(): Float32Array {
    return this.#floats(this.#kernel.parameters);
  }

  /** dL/draw of the last completed sum, in the same layout. */
  get gradients(): Float32Array {
    return this.#floats(this.#kernel.gradients);
  }

  /** Adam's m and v, in the same layout. */
  get moments(): [first: Float32Array, second: Float32Array] {
    return [this.#floats(this.#kernel.firstMoments), this.#floats(this.#kernel.secondMoments)];
  }

  setParameters(parameters: Float32Array): void {
    this.parameters.set(parameters);
    this.#version++;
  }

  /** Returns the tiles of a task, as columns and rows. */
  taskTiles(taskIndex: number): Area {
    const [width, height] = this.#taskSize;
    const { across, down } = this.tiles;
    const tasksAcross = Math.ceil(across / width);
    const [left, top] = [(taskIndex % tasksAcross) * width, Math.floor(taskIndex / tasksAcross) * height];
    return { left, top, right: Math.min(left + width, across), bottom: Math.min(top + height, down) };
  }

  /** Lists the blobs of a task's tiles. @returns `tileOffsets` of `TaskDerivatives` */
  list(taskIndex: number): Uint32Array {
    this.#listTasks();
    catchOutOfMemory(() => this.#kernel.listTiles(taskIndex));
    const { left, top, right, bottom } = this.taskTiles(taskIndex);
    return this.#integers(this.#kernel.tileOffsets, (right - left) * (bottom - top) + 1);
  }

  /** Runs a forward and a backward pass over the pixels of a task. */
  differentiate(taskIndex: number): TaskDerivatives {
    this.#listTasks();
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

  /** Runs the forward pass over the pixels of a task. */
  draw(taskIndex: number): TaskPixels {
    this.#listTasks();
    catchOutOfMemory(() => this.#kernel.draw(taskIndex));
    const { left, top, right, bottom } = this.#pixelsOf(taskIndex);
    return this.#floats(this.#kernel.results, 4 * (right - left) * (bottom - top));
  }

  /** Copies a task's pixels to the render. */
  writePixels(taskIndex: number, pixels: TaskPixels, render: FloatImage): void {
    const { left, top, right, bottom } = this.#pixelsOf(taskIndex);
    const length = 4 * (right - left);
    for (let y = top; y < bottom; y++) {
      const from = (y - top) * length;
      render.data.set(pixels.subarray(from, from + length), 4 * (y * render.width + left));
    }
  }

  /** Starts a sum of gradients over tasks. */
  beginSum(): void {
    this.#kernel.beginSum();
  }

  /** Adds the gradients of a task, from this or another thread. The bits depend on the order. */
  add({ blobs, gradients }: TaskDerivatives): void {
    const kernel = this.#kernel;
    const mark = kernel.mark();
    kernel.addGradients(this.#addressOf(blobs), blobs.length, this.#addressOf(gradients));
    kernel.release(mark);
  }

  /** Replaces the gradients with the sum. */
  keepSum(): void {
    this.#kernel.keepSum();
  }

  /**
   * Applies one step of Adam.
   * @param rates learning rate of each parameter of a blob
   * @param frozen nonzero for each frozen blob
   */
  update(rates: ArrayLike<number>, [correction1, correction2]: [number, number], frozen?: Uint8Array): void {
    const { beta1, beta2, epsilon } = adamConstants;
    const savedValues = frozen && [this.parameters, ...this.moments].map((values) => values.slice());
    this.#floats(this.#kernel.rates, parameterCount).set(rates);
    this.#kernel.updateBlobs(beta1, beta2, 1 - beta1, 1 - beta2, epsilon, correction1, correction2);
    if (frozen) {
      for (const [k, values] of [this.parameters, ...this.moments].entries()) {
        for (let slot = 0; slot < values.length; slot++) {
          if (frozen[slot % frozen.length]) values[slot] = savedValues![k][slot];
        }
      }
    }
    this.#version++;
  }

  #listTasks(): void {
    if (this.#listedVersion === this.#version) return;
    catchOutOfMemory(() => this.#kernel.listParts());
    this.#listedVersion = this.#version;
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

  /** Returns the address of an array in the kernel's memory, to which other arrays are copied. */
  #addressOf(numbers: Uint32Array | Float32Array): number {
    const { memory } = this.#kernel;
    if (numbers.buffer === memory.buffer) return numbers.byteOffset;
    const address = catchOutOfMemory(() => this.#kernel.reserve(numbers.byteLength));
    new Uint8Array(memory.buffer, address).set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
    return address;
  }

  #floats({ value }: { value: number }, length = parameterCount * this.setup.config.blobs): Float32Array {
    return new Float32Array(this.#kernel.memory.buffer, value, length);
  }

  #integers({ value }: { value: number }, length: number): Uint32Array {
    return new Uint32Array(this.#kernel.memory.buffer, value, length);
  }
}

/** The exported variables of src/engine/cpu/kernel/: the job, and addresses and numbers that its calls set. */
type Variable =
  | ("width" | "height" | "tileWidth" | "tileHeight" | "taskWidth" | "taskHeight" | "tasksAcross" | "tasksDown")
  | ("scaleX" | "scaleY" | "offsetX" | "offsetY" | "blobs" | "capacity" | "isDirect" | "textureWidth" | "textureHeight")
  | ("covarianceScale" | "attenuation" | "ceiling" | "fading" | "backing" | "largestGradient")
  | ("parameters" | "target" | "gradients" | "firstMoments" | "secondMoments" | "rates")
  | ("members" | "memberCount" | "tileOffsets" | "results");

/** The exports of src/engine/cpu/kernel/index.ts. */
interface KernelExports extends Record<Variable, WebAssembly.Global<"i32" | "f32" | "f64">> {
  memory: WebAssembly.Memory;
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
}

/** Runs work that allocates memory; a kernel traps if there is none. */
function catchOutOfMemory<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw new Error("The CPU engine ran out of memory.");
    throw error;
  }
}
