import { ConfigError, type PipelineName, type TrainConfig } from "../config.js";
import type { Size } from "../picture/image.js";
import type { AdapterTraits } from "./adapter.js";
import { type AtomicShaders, atomicKernels } from "./atomic.js";
import { binnedKernels } from "./binned/kernels.js";
import type { KernelSource } from "./kernel.js";
import { simple } from "./simple.js";
import { tiled } from "./tiled.js";

type Kernels = (config: TrainConfig, image: Size, adapter: AdapterTraits) => Record<string, KernelSource>;

const atomic =
  (names: AtomicShaders): Kernels =>
  (config) =>
    atomicKernels(names, config);

const pipelines: Partial<Record<PipelineName, Kernels>> = {
  simple: atomic(simple),
  binned: binnedKernels,
  tiled: atomic(tiled),
};

/** The pipelines on a GPU. */
export const gpuPipelines = Object.keys(pipelines) as PipelineName[];

/** Constants such as the number of counters depend on the picture; a text compiles with those of any. */
const anyImage: Size = { width: 256, height: 256 };

/**
 * The kernels of a config's pipeline, by the names of their stages.
 * @throws ConfigError if the pipeline is none on a GPU
 */
export function kernelsOf(config: TrainConfig, adapter: AdapterTraits, image = anyImage): Record<string, KernelSource> {
  const kernels = pipelines[config.pipeline];
  if (kernels) return kernels(config, image, adapter);
  throw new ConfigError("pipeline", config.pipeline, `${gpuPipelines.join(" or ")} on a GPU`);
}
