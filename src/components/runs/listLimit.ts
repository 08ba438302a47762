import type { TrainConfig } from "../../engine/config.js";

/** How many blobs a short-list holds in one pass, where that is limited: not in pipelines that keep lists in storage. */
export function listLimit({ pipeline, gaussiansPerBlock }: TrainConfig): number | undefined {
  return pipeline === "tiled" || pipeline === "cpu" ? gaussiansPerBlock : undefined;
}
