// Computes parts for the CPU engine in a thread of Node.
import { parentPort } from "node:worker_threads";
import { PartWorker } from "../../engine/cpu/crew.js";
import { answering } from "../askedWorker.js";
import type { CrewQuestion } from "../workerCrew.js";

const worker = new PartWorker();

const hear = answering(
  (message, transfer) => parentPort?.postMessage(message, transfer),
  (question: CrewQuestion) => worker.answer(question),
);
parentPort?.on("message", hear);
