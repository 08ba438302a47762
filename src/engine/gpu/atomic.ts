import { listCapacity, type TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { parameterCount } from "../model/blobs.js";
import type { AdvanceOptions, Rendering } from "../pipeline.js";
import type { Gpu } from "./device.js";
import type { Kernel, KernelSource } from "./kernel.js";
import { Pace } from "./pace.js";
import { type GpuJob, GpuPipeline, summarize } from "./pipeline.js";
import { compileAll } from "./renderer.js";
import type { Stages } from "./submitter.js";
import { modelConstants } from "./uniforms.js";

type KernelName = "clearDerivatives" | "computeDerivatives" | "updateBlobs" | "imageMain" | "summarize";
type Kernels = Record<KernelName, Kernel>;

/** Returns the kernels of `simple` or `tiled`, with their constants for a config. */
export function atomicKernels(config: TrainConfig): Record<KernelName, KernelSource> {
  const [TILE_WIDTH, TILE_HEIGHT] = config.tile;
  const constants = {
    ...modelConstants(config),
    TILE_WIDTH,
    TILE_HEIGHT,
    GAUSSIANS_PER_BLOCK: listCapacity(config),
  };
  const kernel = (file: string) => ({ file, constants });
  return {
    clearDerivatives: kernel("shared/clearDerivatives.wgsl"),
    computeDerivatives: kernel(`${config.pipeline}/computeDerivatives.wgsl`),
    updateBlobs: kernel("shared/updateBlobs.wgsl"),
    imageMain: kernel(`${config.pipeline}/imageMain.wgsl`),
    summarize: summarize(config),
  };
}

/**
 * The pipelines that sum gradients with atomics into one buffer. `simple` evaluates every blob at every pixel; `tiled`
 * is the original algorithm, in which each tile gathers, sorts and blends its list in one kernel. A step is
 * clearDerivatives, computeDerivatives and updateBlobs, as in the original Slang sample.
 */
export class AtomicPipeline extends GpuPipeline {
  readonly #kernels: Kernels;
  readonly #pace = new Pace();

  private constructor(gpu: Gpu, kernels: Kernels, job: GpuJob) {
    super(gpu, job, job.config.tile, kernels.summarize);
    this.#kernels = kernels;
  }

  /** Compiles the kernels and fills the buffers. @throws Error if the GPU has too little memory */
  static async open(gpu: Gpu, job: GpuJob): Promise<AtomicPipeline> {
    const { imageMain, ...training } = atomicKernels(job.config);
    const kernels = await compileAll(gpu, { imageMain, ...(!job.draws && training) }, job);
    return GpuPipeline.allocate(() => new AtomicPipeline(gpu, kernels as Kernels, job));
  }

  async render(size: Size): Promise<Rendering> {
    const { imageMain: kernel } = this.#kernels;
    const [step, data] = await this.enqueueRead(async () => {
      const { step } = this;
      const { reading } = await this.draw(size, (render, first, end) => {
        const buffers = new Map([["render", render]]);
        this.submit([{ size, first, end, step }], [{ kernel, workgroups: end - first, range: 0, buffers }]);
      });
      return [step, reading];
    });
    return { ...size, step, data: new Float32Array(data) };
  }

  async advance(steps: number, options: AdvanceOptions = {}): Promise<number> {
    const { signal, horizon = this.config.steps, recordEvery } = options;
    const [done] = await this.enqueueRead(async () => {
      this.horizon = horizon;
      this.recordEvery = recordEvery;
      const pace = this.#pace;
      let done = 0;
      while (done < steps && !signal?.aborted) {
        const count = this.stepsPerSubmit(steps - done);
        if (count >= 1) {
          this.submitSteps(count, done + count === steps, (range) => this.#stages(range));
          this.tilesPerSubmit = await this.adaptPace(pace, count * this.tileCount, this.tilesPerSubmit);
        } else {
          await this.#sliceDerivatives(pace, this.step + 1, true);
          this.record(this.step + 1);
        }
        this.step += Math.max(count, 1);
        done += Math.max(count, 1);
      }
      if (done > 0) this.record(this.step, true);
      return [done, pace.finish()];
    }, true);
    return done;
  }

  async computeGradients(): Promise<Float32Array> {
    const [gradients] = await this.enqueueRead(async () => {
      await this.#sliceDerivatives(new Pace(), this.step + 1, false);
      return [this.readValues("gradients")];
    });
    return gradients;
  }

  #stages(range: number): Stages {
    const { clearDerivatives, computeDerivatives, updateBlobs } = this.#kernels;
    const slots = this.#slotGroups;
    return {
      clearDerivatives: { kernel: clearDerivatives, workgroups: slots, range },
      computeDerivatives: { kernel: computeDerivatives, workgroups: this.tileCount, range },
      updateBlobs: { kernel: updateBlobs, workgroups: slots, range },
    };
  }

  /** Computes one step's gradients, and optionally the update, in several short submits. */
  async #sliceDerivatives(pace: Pace, step: number, update: boolean): Promise<void> {
    const tiles = this.tileCount;
    this.tilesPerSubmit = await this.submitInSlices(pace, tiles, this.tilesPerSubmit, (first, end) => {
      const { clearDerivatives, computeDerivatives, updateBlobs } = this.#stages(1);
      this.submit(
        [{ ...this.fullRange(step), first, end }, this.fullRange(step)],
        [
          ...(first === 0 ? [clearDerivatives] : []),
          { ...computeDerivatives, workgroups: end - first, range: 0 },
          ...(end === tiles && update ? [updateBlobs] : []),
        ],
      );
    });
  }

  /** Workgroups of 256 threads, one thread per raw parameter. */
  get #slotGroups(): number {
    return Math.ceil((parameterCount * this.config.blobs) / 256);
  }
}
