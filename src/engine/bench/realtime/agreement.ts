import type { FloatImage, Size } from "../../image/image.js";
import { meanSquaredDifference } from "../../image/metrics.js";
import { parameterCount } from "../../model/blobs.js";
import type { Pipeline } from "../../pipeline.js";

/** What a program computes at one state of the blobs. */
export interface ProgramOutput {
  render: FloatImage;
  gradients: Float32Array;
}

/** How far what one program computes is from what another does. */
export interface Agreement {
  /** Decibels between their pictures, of values 0..1; infinite where they are equal. */
  psnr: number;
  /** The largest difference of two gradients, as a share of the largest gradient of the same raw parameter. */
  gradients: number;
}

/** One picture and one backward pass at a pipeline's present parameters. */
export async function computeOutput(pipeline: Pipeline, { width, height }: Size): Promise<ProgramOutput> {
  return { gradients: await pipeline.computeGradients(), render: await pipeline.render({ width, height }) };
}

/** Compares what two programs computed of the same parameters. */
export function compareOutputs(actual: ProgramOutput, expected: ProgramOutput): Agreement {
  return {
    psnr: -10 * Math.log10(meanSquaredDifference(actual.render, expected.render)),
    gradients: gradientDifference(actual.gradients, expected.gradients),
  };
}

function gradientDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  const blobs = expected.length / parameterCount;
  let worst = 0;
  for (let field = 0; field < parameterCount; field++) {
    let [difference, largest] = [0, 0];
    for (let i = field * blobs; i < (field + 1) * blobs; i++) {
      difference = Math.max(difference, Math.abs(actual[i] - expected[i]));
      largest = Math.max(largest, Math.abs(expected[i]));
    }
    if (difference > 0) worst = Math.max(worst, difference / largest);
  }
  return worst;
}
