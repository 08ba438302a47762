import type { MetricsRow } from "../../engine/arrow.js";
import type { TrainConfig } from "../../engine/config.js";

/** What charts keep of a run. */
export interface Curve {
  config: TrainConfig;
  points: MetricsRow[];
}

/** Points of a line, at most: more cannot be seen and take long to draw. */
const mostPoints = 500;

/** A run's snapshots or rows, thinned evenly, with its first and its last. */
export function curveOf({ config, snapshots }: { config: TrainConfig; snapshots: readonly MetricsRow[] }): Curve {
  if (snapshots.length <= mostPoints) return { config, points: snapshots.slice() };
  const pick = (_: unknown, i: number) => snapshots[Math.round((i * (snapshots.length - 1)) / (mostPoints - 1))];
  return { config, points: Array.from({ length: mostPoints }, pick) };
}
