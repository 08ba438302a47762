import { completeConfig, type PipelineName, type TrainConfig } from "../../engine/config.js";
import { withCustomKernels } from "../../engine/gpu/customKernels.js";
import { type CustomStages, withStages } from "../../engine/gpu/customStages.js";
import { type Image, sizeOf } from "../../engine/image/image.js";
import type { Backend } from "../../engine/pipeline.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import { type ResumePoint, Run } from "./run.js";
import type { Step } from "./step.js";

/** A stored run to resume. The next run with the same configuration and image object resumes it, once. */
export interface Continuation {
  config: TrainConfig;
  image: ChosenImage;
  resumePoint: ResumePoint;
  /** Whether the run stays paused. */
  paused: boolean;
}

/** A training job: an engine, an image, and the fields of the configuration that differ from the defaults. */
export interface Job extends Partial<TrainConfig> {
  engine: BrowserEngine;
  image: ChosenImage | Image;
  /**
   * WGSL of the loss of a pixel, `fn loss(rgb: vec3f, targetRgb: vec3f) -> f32`, and of its gradient by `rgb`,
   * `fn lossGradient(rgb: vec3f, targetRgb: vec3f) -> vec3f`. The loss of an image is the mean over its pixels.
   */
  loss?: string;
  /**
   * WGSL of the update of a raw parameter, `fn optimize(state: AdamState, gradient: f32, rate: f32) -> AdamState`. A
   * state has the `parameter` and two values that start at 0, `first` and `second`.
   */
  optimizer?: string;
  /** Called after each step with its exact values. Training waits for its promise, and fails with its error. */
  afterStep?: (step: Step) => unknown;
  /** A run to continue, if it has the same configuration and image. */
  start?: Continuation;
  /** Whether a new run waits before its first step. */
  waits?: (config: TrainConfig, image: ChosenImage) => boolean;
}

const usedContinuations = new WeakSet<Continuation>();

/**
 * Starts training and returns the run. In a cell: `const run = train({engine, image, blobs, learningRate}, invalidation)`.
 * Without a GPU it uses the pipeline `cpu`, unless the job names another one.
 * @param invalidation Framework's promise that resolves when the cell runs again; training then stops and frees its
 * memory. Until then, values follow the run even after its last step, since readers can continue it.
 * @throws ConfigError if the configuration is not valid, or the engine cannot hold the job; Error if `loss` or `optimizer`
 * lacks a function, or there is no GPU for it
 */
export function train(
  { engine, image: source, loss, optimizer, afterStep, start, waits, ...fields }: Job,
  invalidation?: Promise<unknown>,
): Run {
  const image = "image" in source ? source : { image: source, original: sizeOf(source), name: "image" };
  const config = completeConfig({ ...fields, pipeline: pipelineOn(engine, fields.pipeline) });
  const isSame = start?.image === image && JSON.stringify(start.config) === JSON.stringify(config);
  const continuation = isSame && !usedContinuations.has(start) ? start : undefined;
  const run = new Run(
    config,
    image,
    backendOf(engine, config.pipeline, { loss, optimizer }),
    continuation?.resumePoint,
  );
  if (continuation) usedContinuations.add(continuation);
  run.waits = !continuation && waits?.(config, image) === true;
  run.isInCell = invalidation !== undefined;
  if (afterStep) run.stepHooks.add(async (step) => afterStep(step));
  if (run.waits || continuation?.paused) void run.pause();
  void run.train();
  if (globalThis.document) freezeUsedNodes();
  void invalidation?.then(() => run.stop());
  return run;
}

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
