// Computes parts for the CPU engine in a thread of its own.
import { PartWorker } from "../../engine/cpu/crew.js";
import { answering } from "../askedWorker.js";
import type { CrewQuestion } from "../workerCrew.js";

const worker = new PartWorker();

const hear = answering(
  (message, transfer) => postMessage(message, { transfer }),
  (question: CrewQuestion) => worker.answer(question),
);
addEventListener("message", ({ data }) => hear(data));
