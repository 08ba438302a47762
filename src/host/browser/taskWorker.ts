// Runs tasks of the CPU engine in a worker.
import { TaskWorker } from "../../engine/cpu/taskPool.js";
import type { PoolRequest } from "../workerPool.js";
import { serveRequests } from "./browserWorker.js";

const worker = new TaskWorker();
serveRequests((question: PoolRequest) => worker.answer(question));
