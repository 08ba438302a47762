import { answerRequests, type WorkerPort } from "../workerClient.js";

type MaybeThread = Worker & Partial<Record<"ref" | "unref", () => void>>;

/** Starts a worker of the browser from the address of its module. */
export function browserPort(address: string): WorkerPort {
  const worker = new Worker(address, { type: "module" });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(onMessage, end) {
      worker.addEventListener("message", ({ data }) => onMessage(data as never));
      worker.addEventListener("messageerror", () => end("its answer does not fit into memory"));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        end(event.message || "its worker did not load");
      });
    },
    terminate: () => worker.terminate(),
    // Node waits for threads that are not unreferenced.
    keepAlive: (awaited) => (worker as MaybeThread)[awaited ? "ref" : "unref"]?.(),
  };
}

/** Answers the requests of the page or worker that started this worker. */
export function serveRequests<Question, Answer>(
  answer: (question: Question, signal: AbortSignal) => Answer | Promise<Answer>,
): void {
  const onMessage = answerRequests((message, transfer) => postMessage(message, { transfer }), answer);
  addEventListener("message", ({ data }) => onMessage(data));
}
