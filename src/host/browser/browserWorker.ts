import type { WorkerPort } from "../askedWorker.js";

/** A worker of a browser, started by a page or by another worker. */
export function browserPort(worker: Worker): WorkerPort {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(hear, end) {
      worker.addEventListener("message", ({ data }) => hear(data as never));
      worker.addEventListener("messageerror", () => end("there is no memory for its answer"));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        end(event.message || "its worker did not load");
      });
    },
    terminate: () => worker.terminate(),
  };
}
