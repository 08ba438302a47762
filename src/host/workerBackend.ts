import type { TrainingState } from "../engine/blobs.js";
import type { TrainConfig } from "../engine/config.js";
import { cpuBackend } from "../engine/cpu/pipeline.js";
import type { Image } from "../engine/image.js";
import type { Backend, Pipeline } from "../engine/pipeline.js";
import { AskedWorker } from "./askedWorker.js";
import { browserPort } from "./browserWorker.js";
import type { Call, PipelineAnswer, PipelineQuestion } from "./cpuWorker.js";
import { crewDescription, workersFor } from "./workerCrew.js";

type CpuThread = AskedWorker<PipelineQuestion, PipelineAnswer>;

/**
 * The CPU engine in workers, which start with the first job, so that the page's own thread stays free: one that holds
 * the pipelines, and its crew.
 */
export function workerBackend(): Backend {
  const description = crewDescription(workersFor(navigator.hardwareConcurrency));
  let thread: CpuThread | undefined;
  return {
    description,
    check: cpuBackend.check,
    async open(config, image, state) {
      if (!thread || thread.ended) thread = startThread();
      return openPipeline(thread, description, config, image, state);
    },
  };
}

function startThread(): CpuThread {
  return new AskedWorker(browserPort(new Worker(import.meta.resolve("./cpuWorker.js"), { type: "module" })));
}

let pipelines = 0;

async function openPipeline(
  thread: CpuThread,
  description: string,
  config: TrainConfig,
  image: Image,
  state: TrainingState,
): Promise<Pipeline> {
  const pipeline = ++pipelines;
  let step = state.step;
  const ask = async <T>(call: Call, signal?: AbortSignal): Promise<T> => {
    const answer = await thread.ask({ ...call, pipeline }, [], signal);
    if (call.call !== "free") step = Math.max(step, answer.step);
    return answer.value as T;
  };
  await ask({ call: "open", config, image, state });
  return {
    description,
    get step() {
      return step;
    },
    advance: (steps, signal, horizon) => ask({ call: "advance", steps, horizon }, signal),
    load: async (state) => {
      await ask({ call: "load", state });
      step = state.step;
    },
    statistics: () => ask({ call: "statistics" }),
    state: () => ask({ call: "state" }),
    gradients: () => ask({ call: "gradients" }),
    computeGradients: () => ask({ call: "computeGradients" }),
    render: (size) => ask({ call: "render", size }),
    tiles: () => ask({ call: "tiles" }),
    free: () => ask({ call: "free" }),
  };
}
