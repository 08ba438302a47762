import type { PipelineName, TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import type { Pipeline } from "../pipeline.js";
import type { AdapterTraits } from "./adapter.js";
import { AtomicPipeline, atomicKernels } from "./atomic.js";
import { binnedKernels } from "./binned/kernels.js";
import { BinnedPipeline } from "./binned/pipeline.js";
import { checkPipeline } from "./checkOnGpu.js";
import type { Gpu } from "./device.js";
import type { KernelSource } from "./kernel.js";
import type { GpuJob } from "./pipeline.js";

/** A pipeline on a GPU: its kernels for a job, and how to open it. */
interface GpuPipelineKind {
  kernels: (config: TrainConfig, image: Size, adapter: AdapterTraits) => Record<string, KernelSource>;
  open: (gpu: Gpu, job: GpuJob) => Promise<Pipeline>;
}

const atomic: GpuPipelineKind = { kernels: atomicKernels, open: AtomicPipeline.open };

const pipelines: Partial<Record<PipelineName, GpuPipelineKind>> = {
  simple: atomic,
  binned: { kernels: binnedKernels, open: BinnedPipeline.open },
  tiled: atomic,
};

/**
 * Returns a config's pipeline.
 * @throws ConfigError if it is not a GPU pipeline
 */
export function pipelineOf(config: TrainConfig): GpuPipelineKind {
  checkPipeline(config);
  return pipelines[config.pipeline]!;
}

/**
 * A size for compiling kernels without an image. Some constants depend on the image, but kernels compile with those of
 * any size. The choice of list kernels in `binned` depends on it too: for images up to this size only above 2^16 blobs.
 */
const anyImage: Size = { width: 256, height: 256 };

/**
 * Returns the kernels of a config's pipeline by stage.
 * @throws ConfigError if it is not a GPU pipeline
 */
export function kernelsOf(config: TrainConfig, adapter: AdapterTraits, image = anyImage): Record<string, KernelSource> {
  return pipelineOf(config).kernels(config, image, adapter);
}
