import { blendStage } from "./blendAdjoints.js";
import { covarianceStage, falloffStage } from "./blobAdjoints.js";
import { compositeStage, lossStage } from "./pixelAdjoints.js";
import { chainStage, decodeStage } from "./rawAdjoints.js";
import type { AdjointStage, Stage, StageAdjoint } from "./stageAdjoint.js";
import type { StepSample } from "./stepSample.js";

/**
 * Returns a stage at a sample: its inputs, its forward function, and the engine's backward function.
 * @param background of the `composite` stage; that of the config by default
 */
export function adjointOf(
  stage: AdjointStage,
  sample: StepSample,
  background = sample.config.background,
): StageAdjoint {
  const stages: Record<AdjointStage, () => Stage> = {
    decode: () => decodeStage(sample),
    covariance: () => covarianceStage(sample),
    falloff: () => falloffStage(sample),
    blend: () => blendStage(sample, "blend"),
    undo: () => blendStage(sample, "undo"),
    composite: () => compositeStage(sample, background),
    loss: () => lossStage(sample),
    chain: () => chainStage(sample),
  };
  return { stage, sample, background, ...stages[stage]() };
}
