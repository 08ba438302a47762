import type { ReadTable, Tables } from "../../engine/files/tables.js";
import { liveClient, type WorkerPort } from "../workerClient.js";
import { nodePort } from "./port.js";

/**
 * Returns a function that reads tables in a thread. If a table takes too long, the thread is ended, and the next table
 * starts another.
 * @param start starts the thread
 */
export function tableReader(start: () => WorkerPort = () => nodePort("host/node/tableThread")): ReadTable {
  const reader = liveClient<Parameters<ReadTable>, Tables[keyof Tables]>(start, "The thread that reads tables");
  return (kind, bytes) =>
    reader().askWithTimeout(bytes.length, [kind, bytes], [bytes.buffer as ArrayBuffer]) as Promise<never>;
}
