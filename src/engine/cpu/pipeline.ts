import { listCapacity, type TrainConfig } from "../config.js";
import { type FloatImage, type Image, type Size, sizeOf } from "../image/image.js";
import { corrections } from "../model/adam.js";
import type { TrainingState } from "../model/blobs.js";
import { ratesAt } from "../model/rates.js";
import type { AdvanceOptions, Backend, Pipeline, Rendering, StepRecord, StepStatistics, Tiles } from "../pipeline.js";
import { SerialQueue } from "../serialQueue.js";
import { gradientNorms, tileListStatistics } from "../statistics.js";
import { initialState } from "../training/initialState.js";
import { checkBlobCount } from "./checkBlobCount.js";
import { Kernel } from "./kernel.js";
import { CallingThread, type TaskPool } from "./taskPool.js";

/** The CPU engine: WebAssembly in float32. The same config gives the same bits on any number of threads. */
export class CpuPipeline implements Pipeline {
  readonly description: string;
  step: number;
  readonly #config: TrainConfig;
  readonly #image: Image;
  readonly #kernel: Kernel;
  readonly #frozen: Uint8Array | undefined;
  #loss = Number.NaN;
  /** Lengths of the tile lists at the latest step; undefined for newly loaded parameters. */
  #lengths: Uint32Array | undefined;
  readonly #pool: TaskPool;
  /** Recorded steps that were not returned yet. */
  readonly #records: StepRecord[] = [];
  readonly #queue = new SerialQueue();
  #freed = false;

  /** @param pool the threads that run its tasks; the calling thread if absent */
  constructor(config: TrainConfig, image: Image, state: TrainingState, pool: TaskPool = callingThread) {
    this.description = pool.description;
    this.#config = config;
    this.#image = image;
    this.#pool = pool;
    this.#kernel = new Kernel({ config, size: sizeOf(image), target: image });
    this.step = state.step;
    this.#frozen = state.frozen;
    this.#setState(state);
  }

  advance(steps: number, options: AdvanceOptions = {}): Promise<number> {
    const { signal, milliseconds = Number.POSITIVE_INFINITY, horizon = this.#config.steps, recordEvery } = options;
    return this.#enqueue(async () => {
      const end = performance.now() + milliseconds;
      let done = 0;
      for (; done < steps; done++) {
        if (done > 0 && performance.now() >= end) break;
        if (signal?.aborted || !(await this.#computeDerivatives(signal))) break;
        this.#updateBlobs(horizon);
        if (recordEvery !== undefined && this.step % recordEvery === 0) this.#record();
      }
      if (recordEvery !== undefined && done > 0) this.#record();
      return done;
    });
  }

  measured(): Promise<StepRecord[]> {
    return this.#enqueue(async () => this.#records.splice(0));
  }

  statistics(): Promise<StepStatistics> {
    return this.#enqueue(async () => this.#statistics());
  }

  state(): Promise<TrainingState> {
    return this.#enqueue(async () => {
      const [first, second] = this.#kernel.moments;
      const parameters = this.#kernel.parameters.slice();
      const state = { step: this.step, parameters, firstMoments: first.slice(), secondMoments: second.slice() };
      return this.#frozen ? { ...state, frozen: this.#frozen } : state;
    });
  }

  load(state: TrainingState): Promise<void> {
    return this.#enqueue(async () => {
      this.step = state.step;
      this.#setState(state);
      this.#lengths = undefined;
      this.#records.length = 0;
    });
  }

  gradients(): Promise<Float32Array> {
    return this.#enqueue(async () => this.#kernel.gradients.slice());
  }

  computeGradients(): Promise<Float32Array> {
    return this.#enqueue(async () => {
      await this.#computeDerivatives();
      return this.#kernel.gradients.slice();
    });
  }

  render(size: Size): Promise<Rendering> {
    return this.#enqueue(async () => {
      const { width, height } = size;
      const isTargetSize = width === this.#image.width && height === this.#image.height;
      const image = isTargetSize
        ? await drawKernel(this.#pool, this.#kernel, () => this.#freed)
        : await drawAt(this.#pool, this.#config, this.#image, this.#kernel.parameters, size, () => this.#freed);
      return { ...image, step: this.step };
    });
  }

  tiles(): Promise<Tiles> {
    return this.#enqueue(async () => this.#tiles());
  }

  free(): Promise<void> {
    this.#freed = true;
    return this.#queue.run(async () => this.#pool.release(this.#kernel));
  }

  #setState({ parameters, firstMoments, secondMoments }: TrainingState): void {
    this.#kernel.setParameters(parameters);
    const [first, second] = this.#kernel.moments;
    first.set(firstMoments);
    second.set(secondMoments);
  }

  #statistics(): StepStatistics {
    const tileLists = tileListStatistics(this.#tiles());
    return { loss: this.#loss, gradientNorms: gradientNorms(this.#kernel.gradients), tileLists };
  }

  #record(): void {
    if (this.#records.at(-1)?.step !== this.step) this.#records.push({ step: this.step, ...this.#statistics() });
  }

  #tiles(): Tiles {
    const { tile, tiles, taskCount } = this.#kernel;
    if (!this.#lengths) {
      this.#lengths = new Uint32Array(tiles.count);
      for (let taskIndex = 0; taskIndex < taskCount; taskIndex++)
        this.#storeLengths(this.#lengths, taskIndex, this.#kernel.list(taskIndex));
    }
    const lengths = this.#lengths.slice();
    const passes = lengths.map((length) => Math.max(1, Math.ceil(length / listCapacity(this.#config))));
    return { size: tile, across: tiles.across, down: tiles.down, lengths, passes };
  }

  #storeLengths(lengths: Uint32Array, taskIndex: number, offsets: Uint32Array): void {
    const { left, top, right, bottom } = this.#kernel.taskTiles(taskIndex);
    let t = 0;
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++, t++) {
        lengths[row * this.#kernel.tiles.across + column] = offsets[t + 1] - offsets[t];
      }
    }
  }

  /** Runs a forward and a backward pass. If it is aborted, nothing changes. */
  async #computeDerivatives(signal?: AbortSignal): Promise<boolean> {
    const lengths = new Uint32Array(this.#kernel.tiles.count);
    let squaredError = 0;
    this.#kernel.beginSum();
    const isComplete = await this.#pool.run(
      "differentiate",
      this.#kernel,
      (derivatives, taskIndex) => {
        squaredError += derivatives.squaredError;
        this.#kernel.add(derivatives);
        this.#storeLengths(lengths, taskIndex, derivatives.tileOffsets);
      },
      () => this.#freed || signal?.aborted === true,
    );
    if (!isComplete) return false;
    this.#kernel.keepSum();
    this.#lengths = lengths;
    this.#loss = squaredError / (this.#image.width * this.#image.height);
    return true;
  }

  #updateBlobs(horizon: number): void {
    this.step++;
    const { biasCorrection } = this.#config;
    this.#kernel.update(
      ratesAt(this.#config, this.step, horizon),
      corrections(biasCorrection, this.step),
      this.#frozen,
    );
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => {
      if (this.#freed) throw new Error("This pipeline has been freed.");
      return work();
    });
  }
}

/** Draws a kernel's blobs at its size. */
async function drawKernel(pool: TaskPool, kernel: Kernel, isStopped = () => false): Promise<FloatImage> {
  const { width, height } = kernel.setup.size;
  const render = { width, height, data: new Float32Array(4 * width * height) };
  await pool.run("draw", kernel, (pixels, taskIndex) => kernel.writePixels(taskIndex, pixels, render), isStopped);
  return render;
}

/** Draws blobs at another size than that of their image, with a new kernel. */
async function drawAt(
  pool: TaskPool,
  config: TrainConfig,
  imageSize: Size,
  parameters: Float32Array,
  renderSize: Size,
  isStopped?: () => boolean,
): Promise<FloatImage> {
  const target = { ...sizeOf(imageSize), data: new Uint8ClampedArray() };
  const kernel = new Kernel({ config, size: sizeOf(renderSize), target });
  kernel.setParameters(parameters);
  const render = await drawKernel(pool, kernel, isStopped);
  pool.release(kernel);
  return render;
}

const callingThread = new CallingThread();

/** Returns the CPU engine with a worker pool. */
export function cpuBackendWith(pool: TaskPool): Backend {
  return {
    description: pool.description,
    check: checkBlobCount,
    async open(config, image, state = initialState(config, image)) {
      return new CpuPipeline(config, image, state, pool);
    },
    async draw({ config, size, parameters, renderSize }) {
      checkBlobCount(config);
      return drawAt(pool, config, size, parameters, renderSize);
    },
  };
}

/** The CPU engine on the calling thread. */
export const cpuBackend: Backend = cpuBackendWith(callingThread);
