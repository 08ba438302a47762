import type { TrainConfig } from "../config.js";
import type { Image } from "../image/image.js";
import type { Backend } from "../pipeline.js";

/** Share of the time in which workers start and kernels are compiled: what is measured later replaces it. */
const warmUp = 1 / 3;

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
      const began = performance.now();
      const rest = start + milliseconds - began;
      if (steps > 1 && rest <= 0) break;
      const done = await pipeline.advance(steps, { milliseconds: rest });
      if (began < start + warmUp * milliseconds) evaluations = seconds = 0;
      seconds += (performance.now() - began) / 1000;
      const { shortLists } = await pipeline.statistics();
      evaluations += done * shortLists.mean * image.width * image.height;
    }
    return evaluations / seconds;
  } finally {
    await pipeline.free();
  }
}
