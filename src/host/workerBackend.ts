import type { TrainingState } from "../engine/blobs.js";
import type { TrainConfig } from "../engine/config.js";
import { cpuBackend } from "../engine/cpu/pipeline.js";
import type { Image } from "../engine/image.js";
import type { Backend, Pipeline } from "../engine/pipeline.js";
import type { Question, Reply, Request } from "./cpuWorker.js";

/** The CPU engine in a worker, which starts with the first job, so that the page's own thread stays free. */
export function workerBackend(): Backend {
  let thread: Thread | undefined;
  return {
    description: cpuBackend.description,
    check: cpuBackend.check,
    async open(config, image, state) {
      if (!thread || thread.failed) thread = new Thread();
      return openPipeline(thread, config, image, state);
    },
  };
}

let pipelines = 0;

async function openPipeline(
  thread: Thread,
  config: TrainConfig,
  image: Image,
  state: TrainingState,
): Promise<Pipeline> {
  const number = ++pipelines;
  let step = state.step;
  const ask = async <T>(question: Question, signal?: AbortSignal): Promise<T> => {
    const reply = await thread.ask(number, question, signal);
    if (question.call !== "free") step = Math.max(step, reply.step);
    return reply.value as T;
  };
  await ask({ call: "open", config, image, state });
  return {
    description: cpuBackend.description,
    get step() {
      return step;
    },
    advance: (steps, signal) => ask({ call: "advance", steps }, signal),
    statistics: () => ask({ call: "statistics" }),
    state: () => ask({ call: "state" }),
    gradients: () => ask({ call: "gradients" }),
    computeGradients: () => ask({ call: "computeGradients" }),
    render: (size) => ask({ call: "render", size }),
    tiles: () => ask({ call: "tiles" }),
    free: () => ask({ call: "free" }),
  };
}

/** A worker, and who waits for its replies. */
class Thread {
  failed = false;
  readonly #worker = new Worker(import.meta.resolve("./cpuWorker.js"), { type: "module" });
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  #requests = 0;

  constructor() {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.error === undefined) waiting?.resolve(data);
      else waiting?.reject(new Error(data.error));
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.failed = true;
      const error = new Error(`The CPU engine stopped: ${event.message || "its worker did not load"}.`);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
      this.#worker.terminate();
    });
  }

  ask(pipeline: number, question: Question, signal?: AbortSignal): Promise<Reply> {
    const id = ++this.#requests;
    const abort = () => this.#post({ call: "abort", id });
    const reply = new Promise<Reply>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ ...question, id, pipeline });
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort);
    });
    return reply.finally(() => signal?.removeEventListener("abort", abort));
  }

  #post(request: Request): void {
    this.#worker.postMessage(request);
  }
}
