import type { Backend, Pipeline } from "../../engine/pipeline.js";
import type { WorkerClient } from "../workerClient.js";
import type { EngineQuestion, PipelineAnswer, PipelineMethod } from "./engineWorker.js";

export type EngineThread = WorkerClient<EngineQuestion, unknown>;

/** The methods that a worker answers as they are. */
const methods = [
  "measured",
  "densify",
  "statistics",
  "state",
  "gradients",
  "computeGradients",
  "render",
  "tiles",
  "renderTimes",
  "allocated",
] as const satisfies PipelineMethod[];

let pipelines = 0;

/** Opens a pipeline in a worker. */
export async function workerPipeline(thread: EngineThread, ...job: Parameters<Backend["open"]>): Promise<Pipeline> {
  const pipeline = ++pipelines;
  const [, , startState] = job;
  let step = startState?.step ?? 0;
  const ask = async (call: PipelineMethod, args: unknown[] = [], signal?: AbortSignal) => {
    const answer = (await thread.ask({ call, pipeline, args }, [], signal)) as PipelineAnswer;
    if (call !== "free") step = Math.max(step, answer.step);
    return answer.value as never;
  };
  const description = (await thread.ask({ call: "open", pipeline, job })) as string;
  const asking = Object.fromEntries(methods.map((call) => [call, (...args: unknown[]) => ask(call, args)]));
  return {
    ...(asking as Record<(typeof methods)[number], never>),
    description,
    get step() {
      return step;
    },
    advance: (steps, { signal, ...options } = {}) => ask("advance", [steps, options], signal),
    async load(state) {
      await ask("load", [state]);
      step = state.step;
    },
    // A worker that has ended has freed everything.
    async free() {
      if (thread.ended) return;
      await ask("free").catch((error) => {
        if (!thread.ended) throw error;
      });
    },
  };
}
