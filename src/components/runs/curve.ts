import type { TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";

/** What charts keep of a run. */
export interface Curve {
  config: TrainConfig;
  points: MetricsRow[];
}

/** Points of a line, at most: more cannot be seen and take long to draw. */
const mostPoints = 500;

/** A run's rows, thinned. */
export function curveOf({ config, measured }: { config: TrainConfig; measured: readonly MetricsRow[] }): Curve {
  return { config, points: thinned(measured, mostPoints) };
}

/** Rows evenly apart where there are more than `most`, the first and the last among them. */
export function thinned<Row>(rows: readonly Row[], most: number): Row[] {
  if (rows.length <= most) return rows.slice();
  return Array.from({ length: most }, (_, i) => rows[Math.round((i * (rows.length - 1)) / (most - 1))]);
}
