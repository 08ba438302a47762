import { allowedNames, ConfigError, type PipelineName } from "../engine/config.js";
import { gpuBackend } from "../engine/gpu/backend.js";
import { Gpu } from "../engine/gpu/device.js";
import type { ShaderLibrary } from "../engine/gpu/shaders.js";
import type { Backend } from "../engine/pipeline.js";
import { loadShaders } from "./shaderFiles.js";
import { workerBackend } from "./workerBackend.js";

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
}

/**
 * Opens the fastest engine that this browser has.
 * @param force "cpu" leaves a GPU alone
 */
export async function openEngine(force?: string | null): Promise<BrowserEngine> {
  const [shaders, found] = await Promise.all([
    loadShaders(),
    force === "cpu" ? "This page was asked to leave the GPU alone." : (navigator.gpu ?? noWebGpu()),
  ]);
  const cpu = workerBackend();
  const open = (gpu: GPU) => Gpu.open(gpu, shaders);
  const opened =
    typeof found === "string"
      ? found
      : await open(found).catch((error: Error) => `The GPU did not open: ${error.message}`);
  const gpu = opened ?? "This browser has WebGPU, but no adapter for it.";
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
    };
  }
  const onGpu = gpuBackend(gpu, () => open(navigator.gpu));
  return {
    kind: gpu.isSoftware ? "software" : "gpu",
    get description() {
      return onGpu.description;
    },
    pipelines: allowedNames("pipeline") as PipelineName[],
    shaders,
    backend: (pipeline) => (pipeline === "cpu" ? cpu : onGpu),
  };
}

function noWebGpu(): string {
  return isSecureContext
    ? "This browser has no WebGPU."
    : "Browsers offer WebGPU only to pages that come over https or from this machine.";
}
