import type { TrainConfig } from "../engine/config.js";

/** Metrics are recorded about this many times in a run, unless --record-every says otherwise. */
const recordCount = 1000;

/** Seconds between two checkpoints, unless --checkpoint says otherwise. */
export const checkpointSeconds = 10;

/** Steps between rows of metrics where none were asked for. */
export function defaultRecordEvery({ steps }: TrainConfig): number {
  return Math.max(1, Math.round(steps / recordCount));
}
