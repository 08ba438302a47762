import type { WorkerPort } from "../workerClient.js";

/** A worker of a browser, started by a page or by another worker. */
export function browserPort(worker: Worker): WorkerPort {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(onMessage, end) {
      worker.addEventListener("message", ({ data }) => onMessage(data as never));
      worker.addEventListener("messageerror", () => end("there is no memory for its answer"));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        end(event.message || "its worker did not load");
      });
    },
    terminate: () => worker.terminate(),
  };
}
