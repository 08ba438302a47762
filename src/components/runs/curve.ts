import type { TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";

/** The rows of a run in charts. */
export interface Curve {
  config: TrainConfig;
  points: MetricsRow[];
}

/** Maximum points of a line: more are not visible and take long to draw. */
const maxPoints = 500;

/** Returns the curve of a run. */
export function curveOf({ config, measured }: { config: TrainConfig; measured: readonly MetricsRow[] }): Curve {
  return { config, points: thinRows(measured, maxPoints) };
}

/** Returns at most `maxRows` rows at even distances, with the first and the last. */
export function thinRows<Row>(rows: readonly Row[], maxRows: number): Row[] {
  if (rows.length <= maxRows) return rows.slice();
  return Array.from({ length: maxRows }, (_, i) => rows[Math.round((i * (rows.length - 1)) / (maxRows - 1))]);
}
