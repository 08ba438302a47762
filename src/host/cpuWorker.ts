// The CPU engine away from the page's own thread: carries out what src/host/workerBackend.ts asks.
import type { TrainingState } from "../engine/blobs.js";
import type { TrainConfig } from "../engine/config.js";
import { cpuBackendWith } from "../engine/cpu/pipeline.js";
import type { Image } from "../engine/image.js";
import type { Pipeline, Size } from "../engine/pipeline.js";
import { answering } from "./askedWorker.js";
import { browserPort } from "./browserWorker.js";
import { WorkerCrew, workersFor } from "./workerCrew.js";

/** What may be asked of a pipeline, by the names of its methods. */
export type Call =
  | { call: "open"; config: TrainConfig; image: Image; state: TrainingState }
  | { call: "advance"; steps: number; horizon?: number }
  | { call: "load"; state: TrainingState }
  | { call: "render"; size: Size }
  | { call: "statistics" | "state" | "gradients" | "computeGradients" | "tiles" | "free" };

export type PipelineQuestion = Call & { pipeline: number };

/** What a call resolved with, and the steps that its pipeline has done. */
export interface PipelineAnswer {
  step: number;
  value: unknown;
}

const crew = new WorkerCrew(
  () => browserPort(new Worker(import.meta.resolve("./partWorker.js"), { type: "module" })),
  workersFor(navigator.hardwareConcurrency),
);
const backend = cpuBackendWith(crew);
const pipelines = new Map<number, Pipeline>();

const hear = answering(
  (message, transfer) => postMessage(message, { transfer }),
  async (question: PipelineQuestion, signal): Promise<PipelineAnswer> => {
    const value = await carryOut(question, signal);
    const step = pipelines.get(question.pipeline)?.step ?? 0;
    if (question.call === "free") pipelines.delete(question.pipeline);
    return { step, value };
  },
);
addEventListener("message", ({ data }) => hear(data));

async function carryOut(question: PipelineQuestion, signal: AbortSignal): Promise<unknown> {
  if (question.call === "open") {
    pipelines.set(question.pipeline, await backend.open(question.config, question.image, question.state));
    return undefined;
  }
  const pipeline = pipelines.get(question.pipeline);
  if (!pipeline) throw new Error("This pipeline has been freed.");
  switch (question.call) {
    case "advance":
      return pipeline.advance(question.steps, signal, question.horizon);
    case "load":
      return pipeline.load(question.state);
    case "render":
      return pipeline.render(question.size);
    default:
      return pipeline[question.call]();
  }
}
