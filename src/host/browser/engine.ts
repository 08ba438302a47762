import { ConfigError, type PipelineName } from "../../engine/config.js";
import { fields } from "../../engine/fields.js";
import { gpuBackend } from "../../engine/gpu/backend.js";
import { Gpu } from "../../engine/gpu/device.js";
import type { Backend } from "../../engine/pipeline.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { loadShaders } from "./shaderFiles.js";
import { cpuInWorkers, gpuInWorker, type WorkerGpu } from "./workerBackend.js";

/** What trains in this browser. */
export interface BrowserEngine {
  /** A GPU, a CPU that plays one, or the CPU engine alone. */
  readonly kind: "gpu" | "software" | "cpu";
  /** Adapter or engine, for people. */
  readonly description: string;
  /** Why there is no GPU, as a sentence, where there is none. */
  readonly because?: string;
  /** The pipelines that can be opened. */
  readonly pipelines: readonly PipelineName[];
  readonly shaders: ShaderLibrary;
  /** @throws ConfigError if the pipeline cannot be opened here */
  backend(pipeline: PipelineName): Backend;
  /**
   * Ends what goes on or hangs on the GPU, whose jobs reject with DeviceLostError: a trainer then goes on from what it
   * read back last. The next job opens the GPU anew.
   */
  restart(): void;
}

/**
 * Opens the fastest engine that this browser has. It computes in workers, so that the page's own thread stays free;
 * where a browser has a GPU for pages alone, it is driven from there.
 * @param force "cpu" leaves a GPU alone
 */
export async function openEngine(force?: string | null): Promise<BrowserEngine> {
  const shaders = await loadShaders();
  const cpu = cpuInWorkers();
  const gpu = force === "cpu" ? "This page was asked to leave the GPU alone." : await openGpu(shaders);
  if (typeof gpu === "string") {
    return {
      kind: "cpu",
      description: cpu.description,
      because: gpu,
      pipelines: ["cpu"],
      shaders,
      backend(pipeline) {
        if (pipeline === "cpu") return cpu;
        throw new ConfigError("pipeline", pipeline, "cpu where there is no GPU");
      },
      restart() {},
    };
  }
  return {
    kind: gpu.isSoftware ? "software" : "gpu",
    get description() {
      return gpu.backend.description;
    },
    pipelines: fields.pipeline.choices,
    shaders,
    backend: (pipeline) => (pipeline === "cpu" ? cpu : gpu.backend),
    restart: () => gpu.restart(),
  };
}

/** The GPU, or a sentence that says why there is none. */
async function openGpu(shaders: ShaderLibrary): Promise<WorkerGpu | string> {
  if (!navigator.gpu) {
    return isSecureContext
      ? "This browser has no WebGPU."
      : "Browsers offer WebGPU only to pages that come over https or from this machine.";
  }
  const inWorker = await gpuInWorker(shaders).catch(() => undefined);
  if (inWorker) return inWorker;
  const open = () => Gpu.open(navigator.gpu, shaders);
  try {
    const gpu = await open();
    if (!gpu) return "This browser has WebGPU, but no adapter for it.";
    let current = gpu;
    const backend = gpuBackend(gpu, async () => {
      const next = await open();
      current = next ?? current;
      return next;
    });
    return { isSoftware: gpu.isSoftware, backend, restart: () => current.close() };
  } catch (error) {
    return `The GPU did not open: ${(error as Error).message}`;
  }
}
