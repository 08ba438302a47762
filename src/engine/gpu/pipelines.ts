import { ConfigError, type PipelineName, type TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import type { Pipeline } from "../pipeline.js";
import type { AdapterTraits } from "./adapter.js";
import { AtomicPipeline, type AtomicShaders, atomicKernels, openAtomicRenderer, simple, tiled } from "./atomic.js";
import { openBinnedRenderer } from "./binned/drawing.js";
import { binnedKernels } from "./binned/kernels.js";
import { BinnedPipeline } from "./binned/pipeline.js";
import type { Gpu } from "./device.js";
import type { KernelSource } from "./kernel.js";
import type { GpuJob } from "./pipeline.js";
import type { GpuDrawJob, GpuRenderer } from "./renderer.js";

/** A pipeline on a GPU: how its kernels are compiled for a job, and how it is opened to train or only to draw. */
interface GpuPipelineKind {
  kernels: (config: TrainConfig, image: Size, adapter: AdapterTraits) => Record<string, KernelSource>;
  open: (gpu: Gpu, job: GpuJob) => Promise<Pipeline>;
  openRenderer: (gpu: Gpu, job: GpuDrawJob) => Promise<GpuRenderer>;
}

const atomic = (names: AtomicShaders): GpuPipelineKind => ({
  kernels: (config) => atomicKernels(names, config),
  open: (gpu, job) => AtomicPipeline.open(gpu, job, names),
  openRenderer: (gpu, job) => openAtomicRenderer(gpu, job, names),
});

const pipelines: Partial<Record<PipelineName, GpuPipelineKind>> = {
  simple: atomic(simple),
  binned: {
    kernels: binnedKernels,
    open: (gpu, job) => BinnedPipeline.open(gpu, job),
    openRenderer: (gpu, job) => openBinnedRenderer(gpu, job),
  },
  tiled: atomic(tiled),
};

/** The pipelines on a GPU. */
export const gpuPipelines = Object.keys(pipelines) as PipelineName[];

/**
 * A config's pipeline.
 * @throws ConfigError if it is none on a GPU
 */
export function pipelineOf(config: TrainConfig): GpuPipelineKind {
  const pipeline = pipelines[config.pipeline];
  if (pipeline) return pipeline;
  throw new ConfigError("pipeline", config.pipeline, `${gpuPipelines.join(" or ")} on a GPU`);
}

/**
 * Constants such as the number of counters depend on the picture; a text compiles with those of any. Which kernels build
 * the lists of `binned` depends on it too, for pictures no larger than this of more than 2^16 blobs alone.
 */
const anyImage: Size = { width: 256, height: 256 };

/**
 * The kernels of a config's pipeline, by the names of their stages.
 * @throws ConfigError if the pipeline is none on a GPU
 */
export function kernelsOf(config: TrainConfig, adapter: AdapterTraits, image = anyImage): Record<string, KernelSource> {
  return pipelineOf(config).kernels(config, image, adapter);
}
