// Reads a run's Arrow file in a worker, for arrowReader.ts.
import { readTableInThread, type Tables } from "../../engine/files/tables.js";
import { serveRequests } from "./browserWorker.js";

export interface TableQuestion {
  kind: keyof Tables;
  file: Blob;
}

serveRequests(async ({ kind, file }: TableQuestion) =>
  readTableInThread(kind, new Uint8Array(await file.arrayBuffer())),
);
