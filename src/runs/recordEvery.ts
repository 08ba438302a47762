import type { TrainConfig } from "../engine/config.js";

/** Approximate number of rows of metrics in a run without --record-every. */
const recordCount = 1000;

/** Seconds between two checkpoints without --checkpoint. */
export const checkpointSeconds = 10;

/** Returns the default steps between rows of metrics. */
export function defaultRecordEvery({ steps }: TrainConfig): number {
  return Math.max(1, Math.round(steps / recordCount));
}
