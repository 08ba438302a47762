import { readGradients, readMetrics, readOptimizer, readParameters } from "./arrow.js";
import { readSweepFile } from "./sweepFile.js";

/** The reader of each kind of table. */
const tableReaders = {
  parameters: readParameters,
  optimizer: readOptimizer,
  metrics: readMetrics,
  gradients: readGradients,
  sweep: readSweepFile,
};

/** The content of each kind of table. */
export type Tables = { [Kind in keyof typeof tableReaders]: ReturnType<(typeof tableReaders)[Kind]> };

/**
 * Reads a table. The bytes may be transferred to a worker.
 * @throws Error of one sentence, from the reader or because reading took too long
 */
export type ReadTable = <Kind extends keyof Tables>(kind: Kind, bytes: Uint8Array) => Promise<Tables[Kind]>;

/** Reads a table in the calling thread: for workers that can be ended, and for trusted tables. */
export const readTableInThread: ReadTable = async (kind, bytes) =>
  (tableReaders[kind] as (bytes: Uint8Array) => never)(bytes);
