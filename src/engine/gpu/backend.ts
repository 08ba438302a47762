import { ConfigError, checkFits, type PipelineName } from "../config.js";
import { type Backend, DeviceLostError } from "../pipeline.js";
import type { Gpu } from "./device.js";
import { GpuPipeline, type PipelineShaders } from "./pipeline.js";
import { simple } from "./simple.js";
import { tiled } from "./tiled.js";

const shaders: Partial<Record<PipelineName, PipelineShaders>> = { simple, tiled };

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
    check: (config, image) => checkFits(config, image, current.limits),
    async open(config, image, state) {
      if (current.lostBecause !== undefined) {
        const next = await reopen();
        if (!next) throw new DeviceLostError(`The GPU was lost and does not come back: ${current.lostBecause}`);
        current = next;
      }
      const pipeline = shaders[config.pipeline];
      if (!pipeline)
        throw new ConfigError("pipeline", config.pipeline, `${Object.keys(shaders).join(" or ")} on a GPU`);
      checkFits(config, image, current.limits);
      return GpuPipeline.open(current, pipeline, config, image, state);
    },
  };
}
