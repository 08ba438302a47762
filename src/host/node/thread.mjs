// @ts-check
// Plain JavaScript, since threads start without a TypeScript loader.
import { workerData } from "node:worker_threads";
import { start } from "./start.js";

await start(workerData);
