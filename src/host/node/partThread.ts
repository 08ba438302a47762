// Runs tasks of the CPU engine in a thread of Node.
import { parentPort } from "node:worker_threads";
import { TaskWorker } from "../../engine/cpu/taskPool.js";
import { answerRequests } from "../workerClient.js";
import type { PoolRequest } from "../workerPool.js";

const worker = new TaskWorker();

const onMessage = answerRequests(
  (message, transfer) => parentPort?.postMessage(message, transfer),
  (question: PoolRequest) => worker.answer(question),
);
parentPort?.on("message", onMessage);
