import type { TrainingState } from "../blobs.js";
import { type AdapterLimits, ConfigError, checkFits, type PipelineName, type TrainConfig } from "../config.js";
import type { Image } from "../image.js";
import { initialState } from "../initialState.js";
import { type Backend, DeviceLostError, type Pipeline, type Size } from "../pipeline.js";
import { AtomicPipeline } from "./atomic.js";
import { BinnedPipeline, checkListsFit } from "./binned.js";
import type { Gpu } from "./device.js";
import { measurePeak } from "./peak.js";
import { simple } from "./simple.js";
import { tiled } from "./tiled.js";

type Open = (gpu: Gpu, config: TrainConfig, image: Image, state: TrainingState) => Promise<Pipeline>;

/** How each pipeline is opened. */
const pipelines: Partial<Record<PipelineName, Open>> = {
  simple: (gpu, ...job) => AtomicPipeline.open(gpu, simple, ...job),
  binned: (gpu, ...job) => BinnedPipeline.open(gpu, ...job),
  tiled: (gpu, ...job) => AtomicPipeline.open(gpu, tiled, ...job),
};

function pipelineOf(config: TrainConfig): Open {
  const open = pipelines[config.pipeline];
  if (open) return open;
  throw new ConfigError("pipeline", config.pipeline, `${Object.keys(pipelines).join(" or ")} on a GPU`);
}

/**
 * Refuses a job that an adapter cannot hold.
 * @throws ConfigError
 */
export function checkOnGpu(config: TrainConfig, image: Size, limits: AdapterLimits): void {
  pipelineOf(config);
  checkFits(config, image, limits);
  if (config.pipeline === "binned") checkListsFit(config, image, limits);
}

/**
 * Pipelines on a GPU.
 * @param gpu the device to begin with; the backend does not close it
 * @param reopen opens another when that one is lost
 */
export function gpuBackend(gpu: Gpu, reopen: () => Promise<Gpu | undefined>): Backend {
  let current = gpu;
  return {
    get description() {
      return current.description;
    },
    check: (config, image) => checkOnGpu(config, image, current.limits),
    measurePeak: () => measurePeak(current),
    async open(config, image, state = initialState(config, image)) {
      if (current.lostBecause !== undefined) {
        const next = await reopen().catch(() => undefined);
        if (!next) throw new DeviceLostError(`The GPU was lost and does not come back: ${current.lostBecause}`);
        current = next;
      }
      this.check(config, image);
      return pipelineOf(config)(current, config, image, state);
    },
  };
}
