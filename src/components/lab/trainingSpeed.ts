import type { TrainConfig } from "../../engine/config.js";
import type { Image } from "../../engine/image/image.js";
import type { Backend } from "../../engine/pipeline.js";

/** Fraction of the time for starting workers and compiling kernels; later measurements replace those in it. */
const warmUpFraction = 1 / 3;

/**
 * Returns the training speed of a backend in evaluations per second. An evaluation is a pixel of a tile with a blob of
 * its list; a step has as many as the pixels times the mean length of the lists. Takes at least one step.
 * @param milliseconds to train, after the job is open
 */
export async function trainingSpeed(
  backend: Backend,
  config: TrainConfig,
  image: Image,
  milliseconds: number,
): Promise<number> {
  const pipeline = await backend.open(config, image);
  try {
    const start = performance.now();
    let [evaluations, seconds] = [0, 0];
    for (let steps = 1; ; steps *= 2) {
      const batchStart = performance.now();
      const remaining = start + milliseconds - batchStart;
      if (steps > 1 && remaining <= 0) break;
      const done = await pipeline.advance(steps, { milliseconds: remaining });
      if (batchStart < start + warmUpFraction * milliseconds) evaluations = seconds = 0;
      seconds += (performance.now() - batchStart) / 1000;
      const { tileLists } = await pipeline.statistics();
      evaluations += done * tileLists.mean * image.width * image.height;
    }
    return evaluations / seconds;
  } finally {
    await pipeline.free();
  }
}
