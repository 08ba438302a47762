import { readGradients, readMetrics, readOptimizer, readParameters } from "./arrow.js";
import { readSweepFile } from "./sweepFile.js";

/** What reads each kind of table, all of it at once. */
const tableReaders = {
  parameters: readParameters,
  optimizer: readOptimizer,
  metrics: readMetrics,
  gradients: readGradients,
  sweep: readSweepFile,
};

/** What comes of each kind of table. */
export type Tables = { [Kind in keyof typeof tableReaders]: ReturnType<(typeof tableReaders)[Kind]> };

/**
 * Reads a table. The bytes may be gone then.
 * @throws Error of one sentence, as its reader, or where the reading was given up
 */
export type ReadTable = <Kind extends keyof Tables>(kind: Kind, bytes: Uint8Array) => Promise<Tables[Kind]>;

/** Reads a table in this thread, which is for whoever can be given up, or whose tables are no others' than its own. */
export const readTableInThread: ReadTable = async (kind, bytes) =>
  (tableReaders[kind] as (bytes: Uint8Array) => never)(bytes);
