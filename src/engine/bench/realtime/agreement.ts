import type { FloatImage, Size } from "../../image/image.js";
import { meanSquaredDifference } from "../../image/metrics.js";
import { parameterCount } from "../../model/blobs.js";
import type { Pipeline } from "../../pipeline.js";

/** A program's render and gradients at one state of the blobs. */
export interface ProgramOutput {
  render: FloatImage;
  gradients: Float32Array;
}

/** The difference between the outputs of two programs. */
export interface Agreement {
  /** PSNR between their renders in dB, of values 0..1; infinite if equal. */
  psnr: number;
  /** The largest difference of two gradients, relative to the largest gradient of the same raw parameter. */
  gradients: number;
}

/** Runs a backward pass and renders at a pipeline's current parameters. */
export async function computeOutput(pipeline: Pipeline, { width, height }: Size): Promise<ProgramOutput> {
  return { gradients: await pipeline.computeGradients(), render: await pipeline.render({ width, height }) };
}

/** Compares the outputs of two programs for the same parameters. */
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
