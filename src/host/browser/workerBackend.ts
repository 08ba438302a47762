import { checkBlobCount } from "../../engine/cpu/checkBlobCount.js";
import { checkOnGpu } from "../../engine/gpu/checkOnGpu.js";
import { type FloatImage, sizeOf } from "../../engine/image/image.js";
import { type Backend, DeviceLostError, type DrawJob } from "../../engine/pipeline.js";
import type { ShaderLibrary, ShaderMessage } from "../../engine/shaders.js";
import { poolDescription, workersFor } from "../poolSize.js";
import { liveClient } from "../workerClient.js";
import { browserPort } from "./browserWorker.js";
import type { EngineQuestion, GpuInfo } from "./engineWorker.js";
import { type EngineThread, workerPipeline } from "./workerPipeline.js";

export interface WorkerGpu {
  readonly isSoftware: boolean;
  readonly backend: Backend;
  /** Ends the worker, even if it hangs. Its jobs reject with DeviceLostError. The next job starts another worker. */
  restart(): void;
}

const startEngine = () => browserPort(import.meta.resolve("./engineWorker.js"));

/** Returns the CPU engine in workers, which start with the first job: one with the pipelines, and its worker pool. */
export function cpuInWorkers(): Backend {
  const description = poolDescription(workersFor(navigator.hardwareConcurrency));
  const liveThread = liveClient<EngineQuestion, unknown>(startEngine);
  return {
    description,
    check: checkBlobCount,
    async open(...job) {
      return workerPipeline(liveThread(), ...job);
    },
    draw: (job) => drawInWorker(liveThread(), job),
  };
}

/**
 * Opens the GPU in a worker.
 * @param loading the kernels, while which the worker starts
 * @throws Error if workers of this browser have no GPU
 */
export async function gpuInWorker(loading: Promise<ShaderLibrary>): Promise<WorkerGpu> {
  let info: GpuInfo;
  /** Opens the GPU. If this fails, the worker is ended, so that the next job tries another. */
  const openIn = async (thread: EngineThread) => {
    try {
      const found = await thread.ask({ call: "openGpu", shaders: await loading });
      if (!found) throw new DeviceLostError("The GPU was lost and could not be opened again.");
      info = found as GpuInfo;
    } catch (error) {
      thread.end(error as Error);
      throw error;
    }
  };
  const startThread = liveClient<EngineQuestion, unknown>(startEngine);
  let thread = startThread();
  let opening = openIn(thread);
  await opening;
  /** Returns the worker with its GPU open. A worker that has ended is replaced. */
  const liveThread = async () => {
    if (thread.ended) {
      thread = startThread();
      opening = openIn(thread);
    }
    const current = thread;
    await opening;
    return current;
  };
  const backend: Backend = {
    get description() {
      return info.description;
    },
    check: (config, image) => checkOnGpu(config, image, info.limits),
    async open(...job) {
      const pipeline = await workerPipeline(await liveThread(), ...job);
      info = { ...info, description: pipeline.description };
      return pipeline;
    },
    draw: async (job) => drawInWorker(await liveThread(), job),
    compile: async (config, shaders) =>
      (await (await liveThread()).ask({ call: "compile", config, shaders })) as ShaderMessage[],
  };
  return {
    isSoftware: info!.isSoftware,
    backend,
    restart: () => thread.end(new DeviceLostError("The GPU worker was restarted.")),
  };
}

async function drawInWorker(thread: EngineThread, job: DrawJob) {
  // An image is passed as a size. Its pixels would be copied to the worker.
  const sizes = { size: sizeOf(job.size), renderSize: sizeOf(job.renderSize) };
  return (await thread.ask({ call: "draw", job: { ...job, ...sizes } })) as FloatImage;
}
