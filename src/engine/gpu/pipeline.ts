import { parameterCount, type TrainingState } from "../blobs.js";
import type { TrainConfig } from "../config.js";
import { corrections } from "../cpu/adam.js";
import { tileGrid } from "../cpu/uv.js";
import type { Image, Picture } from "../image.js";
import type { Pipeline, Size, StepStatistics, Tiles } from "../pipeline.js";
import { normsOfSquares } from "../statistics.js";
import { Turns } from "../turns.js";
import { type Bindings, type Gpu, GpuMemory, type Kernel } from "./device.js";

/** The kernels in which pipelines differ, by their path under shaders/. */
export interface PipelineShaders {
  computeDerivatives: string;
  imageMain: string;
}

interface Kernels {
  clearDerivatives: Kernel;
  computeDerivatives: Kernel;
  updateBlobs: Kernel;
  summarize: Kernel;
  imageMain: Kernel;
}

const read = "read-only-storage";
const write = "storage";
const uniforms: Bindings = { 0: "uniform", 1: "uniform" };

/** Submits should take about this many milliseconds: short for the browser, long against the cost of a submit. */
const submitTime = 25;
const mostStepsPerSubmit = 256;

const dispatchStride = 256;
const dispatchBytes = 24;
const tileStatisticsBytes = 12;
const summaryBytes = 4 * (5 + parameterCount);
const stages = ["clearDerivatives", "computeDerivatives", "updateBlobs"] as const;

/** The workgroups first ≤ w < end of a kernel, rendering at `size`, at training step `step`. */
interface Share {
  size: Size;
  first: number;
  end: number;
  step: number;
}

/**
 * A pipeline whose gradients are summed by atomics into one buffer: the seeds' step of clearDerivatives,
 * computeDerivatives and updateBlobs.
 */
export class GpuPipeline implements Pipeline {
  readonly description: string;
  step: number;
  readonly #gpu: Gpu;
  readonly #memory: GpuMemory;
  readonly #config: TrainConfig;
  readonly #image: Size;
  readonly #kernels: Kernels;
  readonly #buffers: Map<number, GPUBuffer>;
  readonly #timestamps: { set: GPUQuerySet; resolved: GPUBuffer } | undefined;
  readonly #turns = new Turns();
  readonly #groups = new Map<Kernel, GPUBindGroup>();
  /** Tiles that a submit may hold, adapted by measurement. */
  #tilesPerSubmit = 64;
  #freed = false;

  private constructor(
    gpu: Gpu,
    memory: GpuMemory,
    config: TrainConfig,
    image: Image,
    kernels: Kernels,
    state: TrainingState,
  ) {
    this.#gpu = gpu;
    this.#memory = memory;
    this.#config = config;
    this.#image = { width: image.width, height: image.height };
    this.#kernels = kernels;
    this.description = gpu.description;
    this.step = state.step;
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const tiles = tileGrid(image, config.tile).count;
    this.#buffers = new Map([
      [0, memory.buffer("job", GPUBufferUsage.UNIFORM, jobUniform(config, image))],
      [1, memory.buffer("dispatch", GPUBufferUsage.UNIFORM, dispatchStride * (mostStepsPerSubmit + 2))],
      [2, memory.buffer("parameters", storage, state.parameters)],
      [3, memory.buffer("gradients", storage, state.parameters.byteLength)],
      [4, memory.buffer("tileStatistics", storage, tileStatisticsBytes * tiles)],
      [5, memory.buffer("target", storage, image.data)],
      [6, memory.buffer("firstMoments", storage, state.firstMoments)],
      [7, memory.buffer("secondMoments", storage, state.secondMoments)],
      [8, memory.buffer("summary", storage, summaryBytes)],
    ]);
    if (gpu.hasTimestamps) {
      const count = 2 * stages.length;
      const set = gpu.device.createQuerySet({ type: "timestamp", count });
      this.#timestamps = {
        set,
        resolved: memory.buffer("timestamps", GPUBufferUsage.QUERY_RESOLVE | storage, 8 * count),
      };
    }
  }

  /** Compiles the kernels and fills the buffers. Fails with one sentence where memory does not suffice. */
  static async open(
    gpu: Gpu,
    shaders: PipelineShaders,
    config: TrainConfig,
    image: Image,
    state: TrainingState,
  ): Promise<GpuPipeline> {
    const [TILE_WIDTH, TILE_HEIGHT] = config.tile;
    const constants = { TILE_WIDTH, TILE_HEIGHT, GAUSSIANS_PER_BLOCK: config.gaussiansPerBlock };
    const kernel = (name: string, bindings: Bindings) => gpu.kernel(name, { ...uniforms, ...bindings }, constants);
    const [clearDerivatives, computeDerivatives, updateBlobs, summarize, imageMain] = await Promise.all([
      kernel("shared/clearDerivatives.wgsl", { 3: write }),
      kernel(shaders.computeDerivatives, { 2: read, 3: write, 4: write, 5: read }),
      kernel("shared/updateBlobs.wgsl", { 2: write, 3: write, 6: write, 7: write }),
      kernel("shared/summarize.wgsl", { 3: write, 4: write, 8: write }),
      kernel(shaders.imageMain, { 2: read, 9: write }),
    ]);
    const kernels = { clearDerivatives, computeDerivatives, updateBlobs, summarize, imageMain };
    const memory = new GpuMemory(gpu);
    gpu.device.pushErrorScope("out-of-memory");
    const pipeline = new GpuPipeline(gpu, memory, config, image, kernels, state);
    const error = await gpu.device.popErrorScope();
    if (error) {
      memory.free();
      throw new Error(
        `The GPU has too little memory for ${config.blobs} blobs on ${image.width}x${image.height} pixels.`,
      );
    }
    return pipeline;
  }

  advance(steps: number, signal?: AbortSignal): Promise<number> {
    return this.#inTurn(async () => {
      const pace = new Pace();
      let done = 0;
      while (done < steps && !signal?.aborted) {
        const count = Math.min(steps - done, Math.floor(this.#tilesPerSubmit / this.#tileCount), mostStepsPerSubmit);
        if (count >= 1) {
          this.#submitSteps(count, done + count === steps);
          await this.#keepPace(pace, count * this.#tileCount);
        } else {
          await this.#sliceDerivatives(pace, this.step + 1, true);
        }
        this.step += Math.max(count, 1);
        done += Math.max(count, 1);
      }
      await pace.finish();
      return done;
    });
  }

  statistics(): Promise<StepStatistics> {
    return this.#inTurn(async () => {
      const tiles = this.#tileCount;
      this.#submit([{ size: this.#image, first: 0, end: tiles, step: this.step }], (encoder) => {
        const pass = encoder.beginComputePass();
        this.#dispatch(pass, this.#kernels.summarize, 0, 1 + parameterCount);
        pass.end();
      });
      const summary = await this.#memory.read(this.#buffers.get(8)!, summaryBytes);
      const [squaredError, listLengths] = new Float32Array(summary, 0, 2);
      const [longest, passes, overflowing] = new Uint32Array(summary, 8, 3);
      const shortLists = { mean: listLengths / tiles, longest, overflowing, passes };
      const stageTimes = await this.#stageTimes();
      return {
        loss: squaredError / (this.#image.width * this.#image.height),
        gradientNorms: normsOfSquares(new Float32Array(summary, 20, parameterCount)),
        shortLists,
        ...(stageTimes && { stageTimes }),
      };
    });
  }

  state(): Promise<TrainingState> {
    return this.#inTurn(async () => {
      const [parameters, firstMoments, secondMoments] = await Promise.all([2, 6, 7].map((n) => this.#readSlots(n)));
      return { step: this.step, parameters, firstMoments, secondMoments };
    });
  }

  gradients(): Promise<Float32Array> {
    return this.#inTurn(() => this.#readSlots(3));
  }

  computeGradients(): Promise<Float32Array> {
    return this.#inTurn(async () => {
      const pace = new Pace();
      await this.#sliceDerivatives(pace, this.step + 1, false);
      await pace.finish();
      return this.#readSlots(3);
    });
  }

  render(size: Size): Promise<Picture> {
    return this.#inTurn(async () => {
      const bytes = 16 * size.width * size.height;
      const picture = this.#memory.buffer("picture", GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes);
      try {
        const pace = new Pace();
        const tiles = tileGrid(size, this.#config.tile).count;
        for (let first = 0; first < tiles; first += this.#tilesPerSubmit) {
          const end = Math.min(first + this.#tilesPerSubmit, tiles);
          this.#submit([{ size, first, end, step: this.step }], (encoder) => {
            const pass = encoder.beginComputePass();
            this.#dispatch(pass, this.#kernels.imageMain, 0, end - first, picture);
            pass.end();
          });
          await this.#keepPace(pace, end - first, false);
        }
        return { ...size, data: new Float32Array(await this.#memory.read(picture, bytes)) };
      } finally {
        this.#memory.release(picture);
      }
    });
  }

  tiles(): Promise<Tiles> {
    return this.#inTurn(async () => {
      const { across, down, count } = tileGrid(this.#image, this.#config.tile);
      const words = new Uint32Array(await this.#memory.read(this.#buffers.get(4)!, tileStatisticsBytes * count));
      const column = (field: number) => Uint32Array.from({ length: count }, (_, tile) => words[3 * tile + field]);
      return { across, down, lengths: column(1), passes: column(2) };
    });
  }

  free(): Promise<void> {
    this.#freed = true;
    return this.#turns.take(async () => {
      this.#timestamps?.set.destroy();
      this.#memory.free();
    });
  }

  get #tileCount(): number {
    return tileGrid(this.#image, this.#config.tile).count;
  }

  /** Whole steps in one submit; the last one is timed by stage where that can be done. */
  #submitSteps(count: number, timed: boolean): void {
    const share = { size: this.#image, first: 0, end: this.#tileCount };
    const shares = Array.from({ length: count }, (_, k) => ({ ...share, step: this.step + k + 1 }));
    this.#submit(shares, (encoder) => {
      let pass: GPUComputePassEncoder | undefined;
      for (let k = 0; k < count; k++) {
        const timestamps = timed && k === count - 1 ? this.#timestamps : undefined;
        for (const [index, stage] of stages.entries()) {
          if (timestamps) {
            pass?.end();
            const indices = { beginningOfPassWriteIndex: 2 * index, endOfPassWriteIndex: 2 * index + 1 };
            pass = encoder.beginComputePass({ timestampWrites: { querySet: timestamps.set, ...indices } });
          }
          pass ??= encoder.beginComputePass();
          const workgroups = stage === "computeDerivatives" ? this.#tileCount : this.#slotGroups;
          this.#dispatch(pass, this.#kernels[stage], k, workgroups);
        }
      }
      pass?.end();
      if (timed && this.#timestamps) {
        encoder.resolveQuerySet(this.#timestamps.set, 0, 2 * stages.length, this.#timestamps.resolved, 0);
      }
    });
  }

  /** One step's gradients in as many submits as it takes to keep each short, and perhaps the update. */
  async #sliceDerivatives(pace: Pace, step: number, update: boolean): Promise<void> {
    const tiles = this.#tileCount;
    const whole = { size: this.#image, first: 0, end: tiles, step };
    for (let first = 0; first < tiles; ) {
      const end = Math.min(first + this.#tilesPerSubmit, tiles);
      this.#submit([{ ...whole, first, end }, whole], (encoder) => {
        const pass = encoder.beginComputePass();
        if (first === 0) this.#dispatch(pass, this.#kernels.clearDerivatives, 1, this.#slotGroups);
        this.#dispatch(pass, this.#kernels.computeDerivatives, 0, end - first);
        if (end === tiles && update) this.#dispatch(pass, this.#kernels.updateBlobs, 1, this.#slotGroups);
        pass.end();
      });
      await this.#keepPace(pace, end - first);
      first = end;
    }
  }

  /** Workgroups of 256 threads, one a slot of the parameter buffer. */
  get #slotGroups(): number {
    return Math.ceil((parameterCount * this.#config.blobs) / 256);
  }

  #submit(shares: Share[], encode: (encoder: GPUCommandEncoder) => void): void {
    const uniform = new ArrayBuffer(dispatchStride * shares.length);
    for (const [index, { size, first, end, step }] of shares.entries()) {
      const offset = dispatchStride * index;
      new Uint32Array(uniform, offset, 4).set([size.width, size.height, first, end]);
      new Float32Array(uniform, offset + 16, 2).set(corrections(this.#config.biasCorrection, step));
    }
    this.#gpu.device.queue.writeBuffer(this.#buffers.get(1)!, 0, uniform);
    const encoder = this.#gpu.device.createCommandEncoder();
    encode(encoder);
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  #dispatch(pass: GPUComputePassEncoder, kernel: Kernel, share: number, workgroups: number, picture?: GPUBuffer): void {
    const group = picture ? this.#bind(kernel, picture) : (this.#groups.get(kernel) ?? this.#bind(kernel));
    const most = this.#gpu.device.limits.maxComputeWorkgroupsPerDimension;
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, group, [dispatchStride * share]);
    pass.dispatchWorkgroups(Math.min(workgroups, most), Math.ceil(workgroups / most));
  }

  #bind(kernel: Kernel, picture?: GPUBuffer): GPUBindGroup {
    const group = this.#gpu.device.createBindGroup({
      layout: kernel.layout,
      entries: kernel.bindings.map((binding) => {
        const buffer = this.#buffers.get(binding) ?? picture!;
        return { binding, resource: binding === 1 ? { buffer, size: dispatchBytes } : { buffer } };
      }),
    });
    if (!picture) this.#groups.set(kernel, group);
    return group;
  }

  /** Waits until at most one submit is under way, and learns from the time that the one before took. */
  async #keepPace(pace: Pace, tiles: number, learn = true): Promise<void> {
    const finished = await pace.next(this.#gpu.device.queue.onSubmittedWorkDone(), tiles);
    this.#gpu.checkAlive();
    if (!finished || !learn || finished.tiles < this.#tilesPerSubmit / 2) return;
    const factor = Math.min(Math.max(submitTime / finished.milliseconds, 0.25), 4);
    this.#tilesPerSubmit = Math.max(1, Math.round(finished.tiles * factor));
  }

  async #readSlots(binding: number): Promise<Float32Array> {
    const bytes = 4 * parameterCount * this.#config.blobs;
    return new Float32Array(await this.#memory.read(this.#buffers.get(binding)!, bytes));
  }

  /** Milliseconds of each stage of the latest step that was timed. */
  async #stageTimes(): Promise<Record<string, number> | undefined> {
    if (!this.#timestamps) return undefined;
    const times = new BigUint64Array(await this.#memory.read(this.#timestamps.resolved));
    if (times[1] === 0n) return undefined;
    const milliseconds = (index: number) => Number(times[2 * index + 1] - times[2 * index]) / 1e6;
    return Object.fromEntries(stages.map((stage, index) => [stage, milliseconds(index)]));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      if (this.#freed) throw new Error("This pipeline has been freed.");
      try {
        this.#gpu.checkAlive();
        return await work();
      } catch (error) {
        // What fails because the device is gone says so, whatever it failed with.
        await Promise.race([this.#gpu.lost, new Promise((resolve) => setTimeout(resolve))]);
        if (!this.#freed) this.#gpu.checkAlive();
        throw error;
      }
    });
  }
}

/** Keeps one submit under way while the next is prepared, and times each. */
class Pace {
  #before: Promise<{ tiles: number; milliseconds: number }> | undefined;
  #finishedAt = performance.now();

  /** Takes a submit's completion; resolves, with what it measured, when the one before it is complete. */
  async next(done: Promise<unknown>, tiles: number) {
    const submittedAt = performance.now();
    const before = this.#before;
    this.#before = done.then(() => {
      const now = performance.now();
      const milliseconds = now - Math.max(submittedAt, this.#finishedAt);
      this.#finishedAt = now;
      return { tiles, milliseconds };
    });
    return before;
  }

  async finish(): Promise<void> {
    await this.#before;
  }
}

/** The struct Job of shaders/shared/config.wgsl. */
function jobUniform(config: TrainConfig, image: Size): Uint8Array {
  const bytes = new ArrayBuffer(24);
  new Uint32Array(bytes)[0] = config.blobs;
  new Float32Array(bytes, 4, 2).set([config.covarianceScale, config.learningRate]);
  new Uint32Array(bytes, 12).set([config.composite === "white" ? 1 : 0, image.width, image.height]);
  return new Uint8Array(bytes);
}
