import { arch, availableParallelism, cpus, platform } from "node:os";
import type { PipelineName, TrainConfig } from "../../engine/config.js";
import type { RunDescription } from "../../engine/files/runDescription.js";
import { gpuBackend } from "../../engine/gpu/backend.js";
import { openDevice } from "../../engine/gpu/openDevice.js";
import type { Backend } from "../../engine/pipeline.js";
import { nodeCpu } from "./cpu.js";
import { loadDawn, missingForGpu } from "./dawn.js";
import { ensurePackages } from "./install.js";
import { readLibrary, versions } from "./project.js";

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
 * Opens the engine for a pipeline: the GPU with Dawn, which is installed on first use, or the CPU engine if the pipeline
 * is "cpu" or there is no GPU. A machine where Dawn does not load has none.
 * @param threads of the CPU engine; one per core if absent
 * @throws Error if Dawn is not installed and cannot be, since the CPU must not replace a GPU for that reason
 */
export async function openEngine(pipeline: PipelineName, threads?: number): Promise<Engine> {
  const cpu: Engine = { backend: nodeCpu(threads), adaptConfig: withCpuPipeline, isSoftware: false, close() {} };
  if (pipeline === "cpu") return cpu;
  if (missingForGpu() === undefined) installDawn();
  const shaders = await readLibrary();
  const open = async () => openDevice(await loadDawn(), shaders);
  try {
    const gpu = await open();
    if (!gpu) return { ...cpu, fallback: "No GPU adapter was found." };
    const backend = gpuBackend(gpu, open);
    return { backend, adaptConfig: (config) => config, isSoftware: gpu.isSoftware, close: () => backend.close() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") throw error;
    const [message] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { ...cpu, fallback: `WebGPU cannot be opened here: ${message.replace(/\.*$/, ".")}` };
  }
}

function installDawn(): void {
  try {
    ensurePackages(["webgpu"]);
  } catch (error) {
    throw new Error(`${(error as Error).message} The GPU needs it; --pipeline cpu trains without it.`);
  }
}

/** Returns the description of this machine for run.json and benchmarks. */
export function describeHost(): string {
  const [processor] = cpus();
  const model = processor?.model.trim() || "unknown processor";
  return `Node ${process.versions.node} on ${platform()} ${arch()}, ${availableParallelism()} cores of ${model}`;
}

/** The fields of run.json about the machine and engine of a run. */
export type EngineDescription = Pick<RunDescription, "host" | "adapter" | "fallback" | "versions">;

/** Returns the description of an engine for run.json. */
export function describeEngine({ backend, fallback }: Engine): EngineDescription {
  return {
    host: describeHost(),
    adapter: backend.description,
    ...(fallback !== undefined && { fallback }),
    versions: versions(),
  };
}
