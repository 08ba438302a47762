import { completeConfig, type TrainConfig } from "../../engine/config.js";
import type { GradientCheck } from "../../engine/gradientCheck.js";
import type { Job } from "./job.js";
import { backendOf, pipelineOn } from "./job.js";

/**
 * Compares the gradients of the backward pass with central differences of the loss, on this engine and a scene of three
 * blobs. With `loss`, both use that loss.
 * @returns whether all gradients agree, and for each parameter group the largest disagreement as a fraction of the
 * group's largest gradient, which may be 0.005
 * @throws ConfigError if the configuration is not valid; Error if `loss` lacks a function, or with the line of each error
 * in its WGSL
 */
export async function checkGradients({
  engine,
  loss,
  ...fields
}: Pick<Job, "engine" | "loss" | keyof TrainConfig>): Promise<GradientCheck> {
  const config = completeConfig({ ...fields, pipeline: pipelineOn(engine, fields.pipeline) });
  const backend = backendOf(engine, config.pipeline, { loss }, true);
  const { checkGradients: checkGradientsOn } = await import("../../engine/gradientCheck.js");
  return (await checkGradientsOn(backend, config, { measured: loss !== undefined }))!;
}
