import { listCapacity, type TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";

/** How many blobs a short-list holds in one pass, where that is limited: not in pipelines that keep lists in storage. */
export function listLimit(config: TrainConfig): number | undefined {
  return config.pipeline === "tiled" || config.pipeline === "cpu" ? listCapacity(config) : undefined;
}

/** The limit of runs, if it is one, and their lists come near it: another is not worth its room in a chart. */
export function nearLimit(runs: readonly { config: TrainConfig; points: readonly MetricsRow[] }[]): number[] {
  const longest = Math.max(1, ...runs.flatMap(({ points }) => points.map(({ tileLists }) => tileLists.longest)));
  const limits = [...new Set(runs.map(({ config }) => listLimit(config) ?? 0))];
  return limits.length === 1 && limits[0] > 0 && limits[0] <= 1.5 * longest ? limits : [];
}
