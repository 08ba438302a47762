// Computes parts for the CPU engine in a thread of Node.
import { parentPort } from "node:worker_threads";
import { doTask } from "../../engine/cpu/crew.js";
import { answering } from "../askedWorker.js";
import type { TaskQuestion } from "../workerCrew.js";

const hear = answering(
  (message, transfer) => parentPort?.postMessage(message, transfer),
  ({ task, part }: TaskQuestion) => doTask(task, part),
);
parentPort?.on("message", hear);
