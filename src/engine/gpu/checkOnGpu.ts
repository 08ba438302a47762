import {
  type AdapterLimits,
  ConfigError,
  checkBuffers,
  checkWorkgroup,
  type PipelineName,
  type TrainConfig,
} from "../config.js";
import type { Size } from "../image/image.js";
import { checkListsFit } from "./binned/limits.js";

/** The pipelines on a GPU. */
export const gpuPipelines: readonly PipelineName[] = ["simple", "binned", "tiled"];

/** @throws ConfigError if a config's pipeline is none on a GPU */
export function checkPipeline({ pipeline }: TrainConfig): void {
  if (!gpuPipelines.includes(pipeline))
    throw new ConfigError("pipeline", pipeline, `${gpuPipelines.join(" or ")} on a GPU`);
}

/**
 * Checks that a job fits an adapter.
 * @param size of the target, or of the render if nothing is trained
 * @throws ConfigError
 */
export function checkOnGpu(config: TrainConfig, size: Size, limits: AdapterLimits, isTraining = true): void {
  checkPipeline(config);
  checkWorkgroup(config, limits);
  // Lists first, since they are the narrower limit.
  if (config.pipeline === "binned") checkListsFit(config, size, limits, isTraining);
  checkBuffers(config, size, limits, isTraining);
}
