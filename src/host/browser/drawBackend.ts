import type { TrainConfig } from "../../engine/config.js";
import type { Backend } from "../../engine/pipeline.js";
import type { BrowserEngine } from "./engine.js";

/**
 * What draws blobs that learn no more, and their config there: a GPU, or the CPU engine where there is none, or a CPU
 * plays it, which is slower.
 */
export function drawBackend(
  engine: Pick<BrowserEngine, "kind" | "backend">,
  config: TrainConfig,
): [Backend, TrainConfig] {
  const pipeline = engine.kind === "gpu" ? "binned" : "cpu";
  return [engine.backend(pipeline), { ...config, pipeline }];
}
