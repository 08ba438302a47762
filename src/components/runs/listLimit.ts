import type { TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";

/** How many blobs a short-list holds in one pass, where that is limited: not in pipelines that keep lists in storage. */
export function listLimit({ pipeline, gaussiansPerBlock }: TrainConfig): number | undefined {
  return pipeline === "tiled" || pipeline === "cpu" ? gaussiansPerBlock : undefined;
}

/** Who uses a field that a config's pipeline does not, as a sentence; undefined where it counts. */
export function idleField(field: keyof TrainConfig, config: TrainConfig): string | undefined {
  if (field !== "gaussiansPerBlock" || listLimit(config) !== undefined) return undefined;
  return `${config.pipeline} does not use it, tiled does.`;
}

/** The limit of runs, if it is one, and their lists come near it: another is not worth its room in a chart. */
export function nearLimit(runs: readonly { config: TrainConfig; points: readonly MetricsRow[] }[]): number[] {
  const longest = Math.max(1, ...runs.flatMap(({ points }) => points.map(({ shortLists }) => shortLists.longest)));
  const limits = [...new Set(runs.map(({ config }) => listLimit(config) ?? 0))];
  return limits.length === 1 && limits[0] > 0 && limits[0] <= 1.5 * longest ? limits : [];
}
