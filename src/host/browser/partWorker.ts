// Computes parts for the CPU engine in a thread of its own.
import { doTask } from "../../engine/cpu/crew.js";
import { answering } from "../askedWorker.js";
import type { TaskQuestion } from "../workerCrew.js";

const hear = answering(
  (message, transfer) => postMessage(message, { transfer }),
  ({ task, part }: TaskQuestion) => doTask(task, part),
);
addEventListener("message", ({ data }) => hear(data));
