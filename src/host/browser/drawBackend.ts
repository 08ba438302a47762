import type { TrainConfig } from "../../engine/config.js";
import type { Backend } from "../../engine/pipeline.js";
import type { BrowserEngine } from "./engine.js";

/**
 * Returns the fastest backend for drawing trained blobs, and the config for it: the GPU, or the CPU engine if there is
 * no GPU or only a software adapter.
 */
export function drawBackend(
  engine: Pick<BrowserEngine, "kind" | "backend">,
  config: TrainConfig,
): [Backend, TrainConfig] {
  const pipeline = engine.kind === "gpu" ? "binned" : "cpu";
  return [engine.backend(pipeline), { ...config, pipeline }];
}
