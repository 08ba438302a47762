import { parentPort, Worker } from "node:worker_threads";
import { answerRequests, type WorkerPort } from "../workerClient.js";

/**
 * Starts a thread of Node. Node exits without waiting for it, unless answers are pending.
 * @param entry one of the `entries` of start.js
 */
export function nodePort(entry: string): WorkerPort {
  const worker = new Worker(new URL("./thread.mjs", import.meta.url), { workerData: entry });
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(onMessage, end) {
      worker.on("message", (message) => onMessage(message as never));
      worker.on("error", ({ message }) => end(message.replace(/\.$/, "")));
      worker.on("exit", (code) => end(`its worker ended with exit code ${code}`));
    },
    terminate: () => void worker.terminate(),
    keepAlive: (awaited) => (awaited ? worker.ref() : worker.unref()),
  };
}

/** Answers the requests of the thread that started this one. */
export function serveRequests<Question, Answer>(
  answer: (question: Question, signal: AbortSignal) => Answer | Promise<Answer>,
): void {
  const onMessage = answerRequests((message, transfer) => parentPort?.postMessage(message, transfer), answer);
  parentPort?.on("message", onMessage);
}
