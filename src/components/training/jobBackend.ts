import type { PipelineName } from "../../engine/config.js";
import { withCustomKernels } from "../../engine/gpu/customKernels.js";
import { type CustomStages, withStages } from "../../engine/gpu/customStages.js";
import type { Backend } from "../../engine/pipeline.js";
import type { BrowserEngine } from "../../host/browser/engine.js";

/**
 * Returns the backend of a pipeline, with custom stages.
 * @param measuresLoss whether it measures the custom loss instead of the squared error
 * @throws Error if the pipeline runs no WGSL, or a stage lacks a function
 */
export function backendOf(
  engine: BrowserEngine,
  pipeline: PipelineName,
  stages: CustomStages,
  measuresLoss = false,
): Backend {
  const backend = engine.backend(pipeline);
  if (stages.loss === undefined && stages.optimizer === undefined) return backend;
  if (pipeline === "cpu") throw new Error("A loss or an optimizer in WGSL needs a GPU, and the pipeline cpu has none.");
  return withCustomKernels(backend, withStages(engine.shaders, stages, measuresLoss));
}

/** Returns the pipeline that a job names, or `cpu` if there is no GPU. */
export const pipelineOn = ({ kind }: BrowserEngine, pipeline?: PipelineName) =>
  pipeline ?? (kind === "cpu" ? "cpu" : undefined);
