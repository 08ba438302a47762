import { ConfigError, type PipelineName } from "../../engine/config.js";
import { fields } from "../../engine/fields.js";
import type { Backend } from "../../engine/pipeline.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { loadShaders } from "./shaderFiles.js";
import { cpuInWorkers, gpuInWorker, type WorkerGpu } from "./workerBackend.js";

/** The engine of this browser. */
export interface BrowserEngine {
  /** A GPU, a software adapter, or only the CPU engine. */
  readonly kind: "gpu" | "software" | "cpu";
  /** Name of the adapter or engine. */
  readonly description: string;
  /** Why there is no GPU, as a sentence; absent if there is one. */
  readonly fallbackReason?: string;
  /** Pipelines that can be opened. */
  readonly pipelines: readonly PipelineName[];
  readonly shaders: ShaderLibrary;
  /** @throws ConfigError if the pipeline cannot be opened here */
  backend(pipeline: PipelineName): Backend;
  /**
   * Ends all work on the GPU, also work that hangs. Its jobs reject with DeviceLostError, and trainers resume from the
   * last state they read back. The next job opens the GPU again.
   */
  restart(): void;
  /** Releases the GPU. A script in Node ends only after that. */
  close(): void;
}

/**
 * Opens the fastest engine that this browser has. It computes in workers, so the page stays responsive. If a browser
 * offers WebGPU to pages only, the GPU is driven from the page. In Node, the GPU needs the package `webgpu`.
 * @param force "cpu" uses the CPU even if there is a GPU
 */
export async function openEngine(force?: string | null): Promise<BrowserEngine> {
  const loading = loadShaders();
  const cpu = cpuInWorkers();
  const found = force === "cpu" ? "The address of this page selects the CPU (?engine=cpu)." : await openGpu(loading);
  const shaders = await loading;
  const gpu = typeof found === "string" ? undefined : found;
  return {
    kind: !gpu ? "cpu" : gpu.isSoftware ? "software" : "gpu",
    get description() {
      return (gpu?.backend ?? cpu).description;
    },
    ...(typeof found === "string" && { fallbackReason: found }),
    pipelines: gpu ? fields.pipeline.choices : ["cpu"],
    shaders,
    backend(pipeline) {
      if (pipeline === "cpu") return cpu;
      if (gpu) return gpu.backend;
      throw new ConfigError("pipeline", pipeline, "cpu if there is no GPU");
    },
    restart: () => gpu?.restart(),
    close: () => gpu?.restart(),
  };
}

/** Returns the GPU, or a sentence that says why there is none. */
async function openGpu(loading: Promise<ShaderLibrary>): Promise<WorkerGpu | string> {
  if (!navigator.gpu) {
    return (globalThis.isSecureContext ?? true)
      ? "WebGPU is not available."
      : "Browsers offer WebGPU only to pages that come over https or from this machine.";
  }
  const workerGpu = await gpuInWorker(loading).catch(() => undefined);
  if (workerGpu) return workerGpu;
  try {
    const shaders = await loading;
    const { gpuBackend, openDevice } = await import("./gpuOnPage.js");
    const open = () => openDevice(navigator.gpu, shaders);
    const gpu = await open();
    if (!gpu) return "WebGPU has no adapter here.";
    const backend = gpuBackend(gpu, open);
    return { isSoftware: gpu.isSoftware, backend, restart: () => backend.close() };
  } catch (error) {
    return `The GPU did not open: ${(error as Error).message.replace(/\.*$/, ".")}`;
  }
}
