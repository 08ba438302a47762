import type { FloatImage, Size } from "../../image/image.js";
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
    psnr: psnrBetween(actual.render, expected.render),
    gradients: gradientDifference(actual.gradients, expected.gradients),
  };
}

function psnrBetween(a: FloatImage, b: FloatImage): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) if ((i & 3) !== 3) sum += (a.data[i] - b.data[i]) ** 2;
  return -10 * Math.log10(sum / (3 * a.width * a.height));
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
