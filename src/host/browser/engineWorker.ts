// Runs the engine in a worker, for workerBackend.ts. The GPU and the CPU engine have separate workers.
import type { AdapterLimits, TrainConfig } from "../../engine/config.js";
import { cpuBackendWith } from "../../engine/cpu/pipeline.js";
import { limitsOf } from "../../engine/gpu/adapter.js";
import { gpuBackend } from "../../engine/gpu/backend.js";
import { openDevice } from "../../engine/gpu/openDevice.js";
import type { AdvanceOptions, Backend, DrawJob, Pipeline } from "../../engine/pipeline.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { densifyPipeline } from "../../engine/training/densification.js";
import { workersFor } from "../poolSize.js";
import { WorkerPool } from "../workerPool.js";
import { browserPort, serveRequests } from "./browserWorker.js";

/** A method of a pipeline. */
export type PipelineMethod = Exclude<keyof Pipeline, "description" | "step">;

export type EngineQuestion =
  /** The answer is a GpuInfo, or undefined if there is no GPU. */
  | { call: "openGpu"; shaders: ShaderLibrary }
  | { call: "draw"; job: DrawJob }
  | { call: "compile"; config: TrainConfig; shaders: ShaderLibrary }
  /** The answer is the description of the pipeline. */
  | { call: "open"; pipeline: number; job: Parameters<Backend["open"]> }
  /** The answer is a PipelineAnswer. */
  | { call: PipelineMethod; pipeline: number; args: unknown[] };

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

const pool = new WorkerPool(
  () => browserPort(import.meta.resolve("./taskWorker.js")),
  workersFor(navigator.hardwareConcurrency),
);
/** The CPU engine, until the page opens the GPU in this worker. */
let backend: Backend = cpuBackendWith(pool);
const pipelines = new Map<number, Pipeline>();

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
      const [config, image] = question.job;
      const pipeline = await backend.open(...question.job);
      pipeline.densify = (horizon) => densifyPipeline(pipeline, config, image, horizon);
      pipelines.set(question.pipeline, pipeline);
      return pipeline.description;
    }
  }
  const { call, args } = question;
  const pipeline = pipelines.get(question.pipeline);
  if (!pipeline) throw new Error("This pipeline has been freed.");
  if (call === "advance") Object.assign(args[1] as AdvanceOptions, { signal });
  const value = await (pipeline[call] as ((...args: unknown[]) => unknown) | undefined)?.apply(pipeline, args);
  if (call === "free") pipelines.delete(question.pipeline);
  return { step: pipeline.step, value } satisfies PipelineAnswer;
}

async function openGpu(shaders: ShaderLibrary): Promise<GpuInfo | undefined> {
  const open = async () => (navigator.gpu ? openDevice(navigator.gpu, shaders) : undefined);
  const gpu = await open();
  if (!gpu) return undefined;
  backend = gpuBackend(gpu, open);
  const { description, isSoftware } = gpu;
  return { description, isSoftware, limits: limitsOf(gpu.limits) };
}
