import { blendStage } from "./blendAdjoints.js";
import { covarianceStage, falloffStage } from "./blobAdjoints.js";
import { compositeStage, lossStage } from "./pixelAdjoints.js";
import { chainStage, decodeStage } from "./rawAdjoints.js";
import type { AdjointStage, StageAdjoint } from "./stageAdjoint.js";
import type { StepSample } from "./stepSample.js";

/**
 * A stage at a sample.
 * @param composite for the stage that composites; the config's if absent
 */
export function adjointOf(stage: AdjointStage, sample: StepSample, composite = sample.config.composite): StageAdjoint {
  if (stage === "composite") return compositeStage(sample, composite);
  return stages[stage](sample);
}

const stages: Record<Exclude<AdjointStage, "composite">, (sample: StepSample) => StageAdjoint> = {
  decode: decodeStage,
  covariance: covarianceStage,
  falloff: falloffStage,
  blend: (sample) => blendStage(sample, "blend"),
  undo: (sample) => blendStage(sample, "undo"),
  loss: lossStage,
  chain: chainStage,
};
