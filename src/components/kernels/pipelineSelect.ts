import * as Inputs from "observablehq:stdlib/inputs";
import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { gpuPipelines } from "../../engine/gpu/pipelines.js";

/** Returns an input for the pipeline to read, where none can run; its value is a job without an image. */
export function pipelineSelect() {
  const jobs = new Map(gpuPipelines.map((pipeline) => [pipeline, { config: completeConfig({ pipeline }) }]));
  return Inputs.select<{ config: TrainConfig }>(jobs as never, { label: "Pipeline", value: jobs.get("binned") });
}
