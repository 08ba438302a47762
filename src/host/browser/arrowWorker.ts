// Reads a run's Arrow file in a worker, for blobSource.ts.
import { type ReadTable, readTableInThread } from "../../engine/files/tables.js";
import { serveRequests } from "./browserWorker.js";

serveRequests((table: Parameters<ReadTable>) => readTableInThread(...table));
