import { cpuBackend } from "../../engine/cpu/pipeline.js";
import { checkOnGpu } from "../../engine/gpu/backend.js";
import type { Picture, Size } from "../../engine/image/image.js";
import { type Backend, DeviceLostError, type DrawJob, type Peak } from "../../engine/pipeline.js";
import type { ShaderLibrary, ShaderMessage } from "../../engine/shaders.js";
import { AskedWorker } from "../askedWorker.js";
import { crewDescription, workersFor } from "../workerCrew.js";
import { browserPort } from "./browserWorker.js";
import type { GpuFacts } from "./engineWorker.js";
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
  const description = crewDescription(workersFor(navigator.hardwareConcurrency));
  let thread: EngineThread | undefined;
  const living = () => {
    if (!thread || thread.ended) thread = startThread();
    return thread;
  };
  return {
    description,
    check: cpuBackend.check,
    async open(...job) {
      return workerPipeline(living(), ...job);
    },
    draw: (job) => drawIn(living(), job),
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
      return (await thread.ask({ call: "openGpu", shaders })) as GpuFacts | undefined;
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
  let facts = found;
  let opening: Promise<unknown> = Promise.resolve();
  const reopen = async (thread: EngineThread) => {
    const found = await openIn(thread);
    if (found) facts = found;
    else thread.end(new DeviceLostError("The GPU was lost and does not come back."));
  };
  /** The worker, or another where that is no more, with its GPU open. */
  const living = async () => {
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
      return facts.description;
    },
    check: (config, image) => checkOnGpu(config, image, facts.limits, shaders),
    async open(...job) {
      const pipeline = await workerPipeline(await living(), ...job);
      facts = { ...facts, description: pipeline.description };
      return pipeline;
    },
    draw: async (job) => drawIn(await living(), job),
    measurePeak: async () => (await (await living()).ask({ call: "measurePeak" })) as Peak,
    compile: async (config, shaders) =>
      (await (await living()).ask({ call: "compile", config, shaders })) as ShaderMessage[],
  };
  return {
    isSoftware: found.isSoftware,
    backend,
    restart: () => thread.end(new DeviceLostError("The GPU worker was restarted.")),
  };
}

/** Draws in a worker. */
async function drawIn(thread: EngineThread, { config, size, parameters, at, shaders, mostTurns }: DrawJob) {
  // Sizes alone, of what may be images.
  const sizeOf = ({ width, height }: Size): Size => ({ width, height });
  const job = { config, size: sizeOf(size), parameters, at: sizeOf(at), shaders, mostTurns };
  return (await thread.ask({ call: "draw", job })) as Picture;
}

function startThread(): EngineThread {
  return new AskedWorker(browserPort(new Worker(import.meta.resolve("./engineWorker.js"), { type: "module" })));
}
