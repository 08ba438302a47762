// Reads Arrow tables in a thread of Node.
import { parentPort } from "node:worker_threads";
import { readTableInThread } from "../../engine/files/tables.js";
import { answerRequests } from "../workerClient.js";
import type { TableQuestion } from "./tables.js";

const onMessage = answerRequests(
  (message, transfer) => parentPort?.postMessage(message, transfer),
  ({ kind, bytes }: TableQuestion) => readTableInThread(kind, bytes),
);
parentPort?.on("message", onMessage);
