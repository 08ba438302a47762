import { cpuBackend } from "../../engine/cpu/pipeline.js";
import { checkOnGpu } from "../../engine/gpu/backend.js";
import { type FloatImage, sizeOf } from "../../engine/image/image.js";
import { type Backend, DeviceLostError, type DrawJob, type Peak } from "../../engine/pipeline.js";
import type { ShaderLibrary, ShaderMessage } from "../../engine/shaders.js";
import { WorkerClient } from "../workerClient.js";
import { poolDescription, workersFor } from "../workerPool.js";
import { browserPort } from "./browserWorker.js";
import type { GpuInfo } from "./engineWorker.js";
import { type EngineThread, workerPipeline } from "./workerPipeline.js";

/** A GPU that is open in a worker. */
export interface WorkerGpu {
  readonly isSoftware: boolean;
  readonly backend: Backend;
  /** Ends the worker, whatever goes on or hangs there; its jobs reject with DeviceLostError. The next job starts another. */
  restart(): void;
}

/**
 * The CPU engine in workers, which start with the first job, so that the page's own thread stays free: one that holds
 * the pipelines, and its crew.
 */
export function cpuInWorkers(): Backend {
  const description = poolDescription(workersFor(navigator.hardwareConcurrency));
  let thread: EngineThread | undefined;
  const liveThread = () => {
    if (!thread || thread.ended) thread = startThread();
    return thread;
  };
  return {
    description,
    check: cpuBackend.check,
    async open(...job) {
      return workerPipeline(liveThread(), ...job);
    },
    draw: (job) => drawInWorker(liveThread(), job),
  };
}

/**
 * The GPU in a worker that opens it.
 * @returns undefined where a worker of this browser finds no GPU
 */
export async function gpuInWorker(shaders: ShaderLibrary): Promise<WorkerGpu | undefined> {
  let thread = startThread();
  /** A worker whose GPU does not open is ended, so that the next job tries another. */
  const openIn = async (thread: EngineThread) => {
    try {
      return (await thread.ask({ call: "openGpu", shaders })) as GpuInfo | undefined;
    } catch (error) {
      thread.end(error as Error);
      throw error;
    }
  };
  const found = await openIn(thread);
  if (!found) {
    thread.end(new Error("A worker has no GPU here."));
    return undefined;
  }
  let info = found;
  let opening: Promise<unknown> = Promise.resolve();
  const reopen = async (thread: EngineThread) => {
    const found = await openIn(thread);
    if (found) info = found;
    else thread.end(new DeviceLostError("The GPU was lost and does not come back."));
  };
  /** The worker, or another where that is no more, with its GPU open. */
  const liveThread = async () => {
    if (thread.ended) {
      thread = startThread();
      opening = reopen(thread);
    }
    const current = thread;
    await opening;
    return current;
  };
  const backend: Backend = {
    get description() {
      return info.description;
    },
    check: (config, image) => checkOnGpu(config, image, info.limits, shaders),
    async open(...job) {
      const pipeline = await workerPipeline(await liveThread(), ...job);
      info = { ...info, description: pipeline.description };
      return pipeline;
    },
    draw: async (job) => drawInWorker(await liveThread(), job),
    measurePeak: async () => (await (await liveThread()).ask({ call: "measurePeak" })) as Peak,
    compile: async (config, shaders) =>
      (await (await liveThread()).ask({ call: "compile", config, shaders })) as ShaderMessage[],
  };
  return {
    isSoftware: found.isSoftware,
    backend,
    restart: () => thread.end(new DeviceLostError("The GPU worker was restarted.")),
  };
}

/** Draws in a worker. */
async function drawInWorker(
  thread: EngineThread,
  { config, size, parameters, renderSize, shaders, maxIterations }: DrawJob,
) {
  const job = { config, size: sizeOf(size), parameters, renderSize: sizeOf(renderSize), shaders, maxIterations };
  return (await thread.ask({ call: "draw", job })) as FloatImage;
}

function startThread(): EngineThread {
  return new WorkerClient(browserPort(new Worker(import.meta.resolve("./engineWorker.js"), { type: "module" })));
}
