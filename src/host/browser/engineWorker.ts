// Runs the engine in a worker, for workerBackend.ts. The GPU and the CPU engine have separate workers.
import type { AdapterLimits, TrainConfig } from "../../engine/config.js";
import { cpuBackendWith } from "../../engine/cpu/pipeline.js";
import { limitsOf } from "../../engine/gpu/adapter.js";
import { gpuBackend } from "../../engine/gpu/backend.js";
import { Gpu } from "../../engine/gpu/device.js";
import type { Image, Size } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import type { AdvanceOptions, Backend, DrawJob, Pipeline } from "../../engine/pipeline.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { densifyPipeline } from "../../engine/training/densification.js";
import { WorkerPool, workersFor } from "../workerPool.js";
import { browserPort, serveRequests } from "./browserWorker.js";

/** Calls of a pipeline's methods. */
export type PipelineCall =
  | { call: "advance"; steps: number; options: Omit<AdvanceOptions, "signal"> }
  | { call: "grow"; horizon: number }
  | { call: "load"; state: TrainingState }
  | { call: "render" | "renderTimes"; size: Size }
  | { call: "measured" | "statistics" | "state" | "gradients" | "computeGradients" | "tiles" | "allocated" | "free" };

export type EngineQuestion =
  /** The answer is a GpuInfo, or undefined if there is no GPU. */
  | { call: "openGpu"; shaders: ShaderLibrary }
  | { call: "draw"; job: DrawJob }
  | { call: "compile"; config: TrainConfig; shaders: ShaderLibrary }
  /** The answer is the description of the pipeline. */
  | {
      call: "open";
      pipeline: number;
      config: TrainConfig;
      image: Image;
      state?: TrainingState;
      shaders?: ShaderLibrary;
      maxIterations?: number;
    }
  | (PipelineCall & { pipeline: number });

export interface GpuInfo {
  isSoftware: boolean;
  limits: AdapterLimits;
  description: string;
}

/** The result of a call, and the pipeline's step after it. */
export interface PipelineAnswer {
  step: number;
  value: unknown;
}

interface OpenJob {
  pipeline: Pipeline;
  config: TrainConfig;
  image: Image;
}

const pool = new WorkerPool(
  () => browserPort(new Worker(import.meta.resolve("./taskWorker.js"), { type: "module" })),
  workersFor(navigator.hardwareConcurrency),
);
/** The CPU engine, until the page opens the GPU in this worker. */
let backend: Backend = cpuBackendWith(pool);
const jobs = new Map<number, OpenJob>();

serveRequests(answer);

async function answer(question: EngineQuestion, signal: AbortSignal): Promise<unknown> {
  switch (question.call) {
    case "openGpu":
      return openGpu(question.shaders);
    case "draw":
      return backend.draw(question.job);
    case "compile":
      return backend.compile!(question.config, question.shaders);
    case "open": {
      const { config, image, state, shaders, maxIterations } = question;
      const pipeline = await backend.open(config, image, state, shaders, maxIterations);
      jobs.set(question.pipeline, { pipeline, config, image });
      return pipeline.description;
    }
  }
  const job = jobs.get(question.pipeline);
  if (!job) throw new Error("This pipeline has been freed.");
  const value = await runCall(job, question, signal);
  if (question.call === "free") jobs.delete(question.pipeline);
  return { step: job.pipeline.step, value } satisfies PipelineAnswer;
}

async function openGpu(shaders: ShaderLibrary): Promise<GpuInfo | undefined> {
  const open = async () => (navigator.gpu ? Gpu.open(navigator.gpu, shaders) : undefined);
  const gpu = await open();
  if (!gpu) return undefined;
  backend = gpuBackend(gpu, open);
  const { description, isSoftware } = gpu;
  return { description, isSoftware, limits: limitsOf(gpu.limits) };
}

function runCall({ pipeline, config, image }: OpenJob, question: PipelineCall, signal: AbortSignal): unknown {
  switch (question.call) {
    case "advance":
      return pipeline.advance(question.steps, { ...question.options, signal });
    case "grow":
      return densifyPipeline(pipeline, config, image, question.horizon);
    case "load":
      return pipeline.load(question.state);
    case "render":
      return pipeline.render(question.size);
    case "renderTimes":
      return pipeline.renderTimes?.(question.size);
    case "allocated":
      return pipeline.allocated?.();
    default:
      return pipeline[question.call]();
  }
}
