import type { TrainConfig } from "../../engine/config.js";
import type { Image } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import type { Pipeline } from "../../engine/pipeline.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import type { WorkerClient } from "../workerClient.js";
import type { EngineQuestion, PipelineAnswer, PipelineCall } from "./engineWorker.js";

export type EngineThread = WorkerClient<EngineQuestion, unknown>;

let pipelines = 0;

/** Opens a pipeline in a worker. */
export async function workerPipeline(
  thread: EngineThread,
  config: TrainConfig,
  image: Image,
  state?: TrainingState,
  shaders?: ShaderLibrary,
  maxIterations?: number,
): Promise<Pipeline> {
  const pipeline = ++pipelines;
  let step = state?.step ?? 0;
  const ask = async <T>(call: PipelineCall, signal?: AbortSignal): Promise<T> => {
    const answer = (await thread.ask({ ...call, pipeline }, [], signal)) as PipelineAnswer;
    if (call.call !== "free") step = Math.max(step, answer.step);
    return answer.value as T;
  };
  const job = { config, image, state, shaders, maxIterations };
  const description = (await thread.ask({ call: "open", pipeline, ...job })) as string;
  return {
    description,
    get step() {
      return step;
    },
    advance: (steps, { signal, ...options } = {}) => ask({ call: "advance", steps, options }, signal),
    measured: () => ask({ call: "measured" }),
    densify: (horizon) => ask({ call: "grow", horizon }),
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
    renderTimes: (size) => ask({ call: "renderTimes", size }),
    allocated: () => ask({ call: "allocated" }),
    // A worker that has ended has freed everything.
    free: async () => {
      if (thread.ended) return;
      await ask({ call: "free" }).catch((error) => {
        if (!thread.ended) throw error;
      });
    },
  };
}
