// Runs tasks of the CPU engine in a thread of Node.
import { TaskWorker } from "../../engine/cpu/taskPool.js";
import type { PoolRequest } from "../workerPool.js";
import { serveRequests } from "./port.js";

const worker = new TaskWorker();
serveRequests((question: PoolRequest) => worker.answer(question));
