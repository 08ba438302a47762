// Runs tasks of the CPU engine in a worker.
import { TaskWorker } from "../../engine/cpu/taskPool.js";
import { answerRequests } from "../workerClient.js";
import type { PoolRequest } from "../workerPool.js";

const worker = new TaskWorker();

const onMessage = answerRequests(
  (message, transfer) => postMessage(message, { transfer }),
  (question: PoolRequest) => worker.answer(question),
);
addEventListener("message", ({ data }) => onMessage(data));
