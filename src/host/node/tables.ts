import type { ReadTable, Tables } from "../../engine/files/tables.js";
import { WorkerClient, type WorkerPort } from "../workerClient.js";
import { nodePort } from "./port.js";

/** What the thread that reads tables is asked; the bytes, which are all of their memory, are handed over to it. */
export interface TableQuestion {
  kind: keyof Tables;
  bytes: Uint8Array;
}

/**
 * Reads tables in a thread, which is given up where one of them keeps it; the next table begins another.
 * @param start starts the thread
 */
export function tableReader(start: () => WorkerPort = () => nodePort("./tableWorker.mjs")): ReadTable {
  let thread: WorkerClient<TableQuestion, Tables[keyof Tables]> | undefined;
  return (kind, bytes) => {
    if (!thread || thread.ended) thread = new WorkerClient(start(), "The thread that reads tables");
    return thread.askWithTimeout(bytes.length, { kind, bytes }, [bytes.buffer as ArrayBuffer]) as Promise<never>;
  };
}
