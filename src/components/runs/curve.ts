import type { TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";

/** What charts keep of a run. */
export interface Curve {
  config: TrainConfig;
  points: MetricsRow[];
}

/** Points of a line, at most: more cannot be seen and take long to draw. */
const maxPoints = 500;

/** A run's rows, thinned. */
export function curveOf({ config, measured }: { config: TrainConfig; measured: readonly MetricsRow[] }): Curve {
  return { config, points: thinRows(measured, maxPoints) };
}

/** Rows evenly apart where there are more than `most`, the first and the last among them. */
export function thinRows<Row>(rows: readonly Row[], maxRows: number): Row[] {
  if (rows.length <= maxRows) return rows.slice();
  return Array.from({ length: maxRows }, (_, i) => rows[Math.round((i * (rows.length - 1)) / (maxRows - 1))]);
}
