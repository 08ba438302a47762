import type { PipelineName } from "../engine/config.js";
import { gpuBackend } from "../engine/gpu/backend.js";
import type { Gpu } from "../engine/gpu/device.js";
import type { ShaderLibrary } from "../engine/gpu/shaders.js";
import type { Backend } from "../engine/pipeline.js";
import { openGpu } from "../host/node.js";
import { nodeCpu } from "../host/nodeCpu.js";

/** What computes a run. */
export interface Engine {
  /** The pipeline that really runs: the one asked for, or "cpu" in its place. */
  pipeline: PipelineName;
  backend: Backend;
  /** Why the CPU stands in for the GPU that was asked for. */
  fallback?: string;
  /** Whether it is a CPU that plays a GPU. */
  isSoftware: boolean;
  /** Gives the GPU back; without it Node does not exit. */
  close(): void;
}

/**
 * Opens what a pipeline runs on: this machine's GPU, or the CPU engine if the pipeline is "cpu" or there is no GPU.
 * @param readLibrary reads the shaders, when they are needed
 */
export async function openEngine(pipeline: PipelineName, readLibrary: () => Promise<ShaderLibrary>): Promise<Engine> {
  const cpu: Engine = { pipeline: "cpu", backend: nodeCpu(), isSoftware: false, close() {} };
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
  const { isSoftware } = current;
  return { pipeline, backend: gpuBackend(current, reopen), isSoftware, close: () => current.close() };
}
