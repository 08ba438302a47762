import type { StepStatistics } from "../pipeline.js";

/** The measurements of one step, as plain data. The loss is at the parameters before the step. */
export interface Snapshot extends StepStatistics {
  /** Steps done. */
  step: number;
  /** Training time in seconds so far, without pauses. Steps that are read back together share their time evenly. */
  seconds: number;
  /** PSNR in decibels, from the loss. */
  psnr: number;
  stepsPerSecond: number;
  /** Whether the step is a multiple of `recordEvery`, or the last step. */
  recorded: boolean;
  /** Whether no later step is done or running, so that the trainer's answers refer to this step. */
  idle: boolean;
  /** How often a lost device was replaced. */
  recoveries: number;
  /** Gradient of the raw parameters, 9·N, field-major; only at multiples of `recordGradientsEvery`. */
  gradients?: Float32Array;
}
