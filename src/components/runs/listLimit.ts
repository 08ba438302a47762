import { listCapacity, type TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";

/** Returns the list capacity per pass; undefined for pipelines that keep lists in storage. */
export function listLimit(config: TrainConfig): number | undefined {
  return config.pipeline === "tiled" || config.pipeline === "cpu" ? listCapacity(config) : undefined;
}

/** Returns the common list capacity of runs if their lists come near it, for a rule in a chart. */
export function nearLimit(runs: readonly { config: TrainConfig; points: readonly MetricsRow[] }[]): number[] {
  const longest = Math.max(1, ...runs.flatMap(({ points }) => points.map(({ tileLists }) => tileLists.longest)));
  const limits = [...new Set(runs.map(({ config }) => listLimit(config) ?? 0))];
  return limits.length === 1 && limits[0] > 0 && limits[0] <= 1.5 * longest ? limits : [];
}
