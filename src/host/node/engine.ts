import type { PipelineName, TrainConfig } from "../../engine/config.js";
import { gpuBackend } from "../../engine/gpu/backend.js";
import type { Backend } from "../../engine/pipeline.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { nodeCpu } from "./cpu.js";
import { openGpu } from "./gpu.js";

/** The engine of a run. */
export interface Engine {
  backend: Backend;
  /** Returns the config to train with this engine: with the pipeline "cpu" if it replaces a GPU. */
  adaptConfig(config: TrainConfig): TrainConfig;
  /** Why the CPU replaces the GPU, as a sentence. */
  fallback?: string;
  isSoftware: boolean;
  /** Releases the GPU. Otherwise Node does not exit. */
  close(): void;
}

/** Returns a config with the pipeline "cpu". */
export function withCpuPipeline(config: TrainConfig): TrainConfig {
  return { ...config, pipeline: "cpu" };
}

/**
 * Opens the engine for a pipeline: the GPU, or the CPU engine if the pipeline is "cpu" or there is no GPU.
 * @param readLibrary reads the shaders if they are needed
 * @param threads of the CPU engine; one per core if absent
 */
export async function openEngine(
  pipeline: PipelineName,
  readLibrary: () => Promise<ShaderLibrary>,
  threads?: number,
): Promise<Engine> {
  const cpu: Engine = { backend: nodeCpu(threads), adaptConfig: withCpuPipeline, isSoftware: false, close() {} };
  if (pipeline === "cpu") return cpu;
  const shaders = await readLibrary();
  const opened = await openGpu(shaders);
  if (!opened.gpu) return { ...cpu, fallback: opened.reason };
  const backend = gpuBackend(opened.gpu, async () => (await openGpu(shaders)).gpu);
  return { backend, adaptConfig: (config) => config, isSoftware: opened.gpu.isSoftware, close: () => backend.close() };
}
