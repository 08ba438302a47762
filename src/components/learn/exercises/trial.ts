import type { TrainConfig } from "../../../engine/config.js";
import type { Image } from "../../../engine/image/image.js";
import { corrections, updateBlobs } from "../../../engine/model/adam.js";
import { oracle } from "../../../engine/model/oracle.js";
import { draw } from "../../../engine/model/rasterize.js";
import { ratesAt } from "../../../engine/model/rates.js";
import { tiledBlobs } from "../../../engine/model/tiledBlobs.js";

/** What some steps compute: the first render and gradients, and the parameters after the last step. */
export interface Trial {
  /** Red, green, blue and transmittance of each pixel, before the first step. */
  render: Float32Array;
  /** dL/draw before the first step, 9·N, field-major. */
  gradients: Float64Array;
  /** Raw parameters after the steps, like the gradients. */
  parameters: Float64Array;
  /** Tile–blob intersections: the entries of all tile lists before the first step; absent if a pipeline lists others. */
  intersections?: number;
}

/**
 * Takes some training steps in float64.
 * @param startParameters 9·N raw parameters, field-major
 */
export function runTrial(config: TrainConfig, image: Image, startParameters: ArrayLike<number>, steps: number): Trial {
  const parameters = Float64Array.from(startParameters);
  const firstMoments = new Float64Array(parameters.length);
  const secondMoments = new Float64Array(parameters.length);
  const tiled = tiledBlobs(config, image, parameters);
  const { gradients } = oracle(config, image, parameters);
  for (let t = 1; t <= steps; t++) {
    const current = t === 1 ? gradients : oracle(config, image, parameters).gradients;
    const divisors = corrections(config.biasCorrection, t);
    updateBlobs(parameters, firstMoments, secondMoments, current, ratesAt(config, t), divisors);
  }
  return { render: draw(tiled), gradients, parameters, intersections: tiled.lists.flat().length };
}
