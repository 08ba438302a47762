// The CPU engine in a thread of its own: carries out what src/host/workerBackend.ts asks.
import type { TrainingState } from "../engine/blobs.js";
import type { TrainConfig } from "../engine/config.js";
import { cpuBackend } from "../engine/cpu/pipeline.js";
import type { Image } from "../engine/image.js";
import type { Pipeline, Size } from "../engine/pipeline.js";

/** What may be asked of a pipeline, by the names of its methods. */
export type Question =
  | { call: "open"; config: TrainConfig; image: Image; state: TrainingState }
  | { call: "advance"; steps: number }
  | { call: "render"; size: Size }
  | { call: "statistics" | "state" | "gradients" | "computeGradients" | "tiles" | "free" };

export type Request = (Question & { id: number; pipeline: number }) | { call: "abort"; id: number };

/** The answer to the request of the same id, and the steps that its pipeline has done. */
export interface Reply {
  id: number;
  step: number;
  value?: unknown;
  error?: string;
}

const pipelines = new Map<number, Pipeline>();
const controllers = new Map<number, AbortController>();

addEventListener("message", async ({ data: request }: MessageEvent<Request>) => {
  if (request.call === "abort") {
    controllers.get(request.id)?.abort();
    return;
  }
  const { id } = request;
  try {
    const value = await answer(request);
    reply({ id, step: pipelines.get(request.pipeline)?.step ?? 0, value });
  } catch (error) {
    reply({ id, step: pipelines.get(request.pipeline)?.step ?? 0, error: (error as Error).message });
  } finally {
    controllers.delete(id);
    if (request.call === "free") pipelines.delete(request.pipeline);
  }
});

function reply(message: Reply): void {
  postMessage(message, { transfer: buffersOf(message.value) });
}

/** The memory of a value's arrays, which pipelines make afresh for each answer: handed over, not copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value)
    .filter((field) => ArrayBuffer.isView(field))
    .map((field) => field.buffer as ArrayBuffer);
}

async function answer(request: Question & { id: number; pipeline: number }): Promise<unknown> {
  if (request.call === "open") {
    pipelines.set(request.pipeline, await cpuBackend.open(request.config, request.image, request.state));
    return undefined;
  }
  const pipeline = pipelines.get(request.pipeline);
  if (!pipeline) throw new Error("This pipeline has been freed.");
  switch (request.call) {
    case "advance": {
      const controller = new AbortController();
      controllers.set(request.id, controller);
      return pipeline.advance(request.steps, controller.signal);
    }
    case "render":
      return pipeline.render(request.size);
    default:
      return pipeline[request.call]();
  }
}
