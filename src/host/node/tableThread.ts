// Reads tables in a thread of Node.
import { parentPort } from "node:worker_threads";
import { readTableHere } from "../../engine/files/tables.js";
import { answering } from "../askedWorker.js";
import type { TableQuestion } from "./tables.js";

const hear = answering(
  (message, transfer) => parentPort?.postMessage(message, transfer),
  ({ kind, bytes }: TableQuestion) => readTableHere(kind, bytes),
);
parentPort?.on("message", hear);
