import type { TrainConfig } from "../../src/engine/config.js";
import { CpuPipeline } from "../../src/engine/cpu/pipeline.js";
import type { FloatImage, Size } from "../../src/engine/image/image.js";
import { stateOf } from "../../src/engine/model/blobs.js";

/** Renders raw parameters with the CPU engine, by default at the target's size. */
export function renderOnCpu(
  config: TrainConfig,
  target: Size,
  parameters: Float32Array,
  size = target,
): Promise<FloatImage> {
  const image = { ...target, data: new Uint8ClampedArray() };
  return new CpuPipeline(config, image, stateOf(parameters)).render(size);
}
