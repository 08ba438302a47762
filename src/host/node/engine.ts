import type { PipelineName, TrainConfig } from "../../engine/config.js";
import { gpuBackend } from "../../engine/gpu/backend.js";
import type { Gpu } from "../../engine/gpu/device.js";
import type { Backend } from "../../engine/pipeline.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { nodeCpu } from "./cpu.js";
import { openGpu } from "./gpu.js";

/** What computes a run. */
export interface Engine {
  backend: Backend;
  /** A config as it is trained here: with the pipeline "cpu" where the CPU stands in. */
  adaptConfig(config: TrainConfig): TrainConfig;
  /** Why the CPU stands in for the GPU that was asked for. */
  fallback?: string;
  /** Whether it is a CPU that plays a GPU. */
  isSoftware: boolean;
  /** Gives the GPU back; without it Node does not exit. */
  close(): void;
}

/** A config that asked for a GPU, as it is trained where there is none. */
export function withCpuPipeline(config: TrainConfig): TrainConfig {
  return { ...config, pipeline: "cpu" };
}

/**
 * Opens what a pipeline runs on: this machine's GPU, or the CPU engine if the pipeline is "cpu" or there is no GPU.
 * @param readLibrary reads the shaders, when they are needed
 * @param threads of the CPU engine; one a core if absent
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
  let current: Gpu = opened.gpu;
  const reopen = async () => {
    const { gpu } = await openGpu(shaders);
    if (gpu) current = gpu;
    return gpu;
  };
  return {
    backend: gpuBackend(current, reopen),
    adaptConfig: (config) => config,
    isSoftware: current.isSoftware,
    close: () => current.close(),
  };
}
