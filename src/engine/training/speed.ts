import type { TrainConfig } from "../config.js";
import type { Image } from "../image/image.js";
import type { Backend } from "../pipeline.js";

/** Share of the time in which workers start and kernels are compiled: what is measured later replaces it. */
const warmUpFraction = 1 / 3;

/**
 * Returns how fast a backend trains a job, in evaluations a second: one is a pixel of a tile with a blob of its list, so
 * a step has as many as pixels times the mean length of the lists. Trains for some milliseconds, and one step at least.
 * @param milliseconds after the job is open
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
