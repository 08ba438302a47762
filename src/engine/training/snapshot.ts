import type { StepStatistics } from "../pipeline.js";

/** What is known after a step: plain data. Its loss is that of the parameters with which the step began. */
export interface Snapshot extends StepStatistics {
  /** Steps done. */
  step: number;
  /**
   * Seconds of training so far, without pauses and with what was asked of the engine meanwhile; of a step that came
   * back with others, its share of theirs.
   */
  seconds: number;
  /** Decibels, from the loss. */
  psnr: number;
  stepsPerSecond: number;
  /** Whether the step is one of those asked for by `recordEvery`, or the last. */
  recorded: boolean;
  /** Whether no later step is done or under way, so that questions to the trainer are answered at this step. */
  idle: boolean;
  /** Times that a lost device was replaced. */
  recoveries: number;
  /** dL/draw of the step, 9·N, where `recordGradientsEvery` asks for it. */
  gradients?: Float32Array;
}
