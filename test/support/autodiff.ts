import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { completeConfig, type TrainConfig } from "../../src/engine/config.js";
import type { FloatImage, Image } from "../../src/engine/image/image.js";
import { stateOf } from "../../src/engine/model/blobs.js";
import type { Pipeline } from "../../src/engine/pipeline.js";
import { assertEachGradientAgrees, assertGradientsAgree, assertImagesAgree } from "./agreement.js";
import type { Scene } from "./scenes.js";

/** A job with the results of PyTorch's automatic differentiation. */
export interface DifferentiatedScene extends Scene {
  name: string;
  loss: number;
  /** Gradients by the raw parameters, field-major, in float64. */
  gradients: number[];
  /** All transmittances are 1, since the file does not contain them. */
  render: FloatImage;
  /** Pairs of a pixel and a blob behind the 1/255 stop. */
  stopped: number;
  /** Pairs of them with a transmittance above 1/256. */
  justStopped: number;
  /** Pairs with α at its maximum. */
  ceiling: number;
  /** Clamped gradients of a pixel and a parameter. */
  clamped: number;
}

/** A line of autodiff.jsonl, with three values per pixel. */
type Line = Omit<DifferentiatedScene, keyof Scene | "render"> & {
  config: Partial<TrainConfig>;
  width: number;
  height: number;
  target: number[];
  parameters: number[];
  render: number[];
};

/** Returns the jobs of the file that autodiff.py writes. */
export const differentiatedScenes: DifferentiatedScene[] = readFileSync(
  new URL("autodiff.jsonl", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => sceneOf(JSON.parse(line)));

function sceneOf({ config, width, height, target, parameters, render, ...rest }: Line): DifferentiatedScene {
  const image: Image = { width, height, data: Uint8ClampedArray.from(addFourth(target, 255)) };
  return {
    ...rest,
    config: completeConfig(config),
    image,
    state: stateOf(Float32Array.from(parameters)),
    render: { width, height, data: Float32Array.from(addFourth(render, 1)) },
  };
}

/** Adds a fourth value to each triple. */
function addFourth(values: number[], fourth: number): number[] {
  return values.flatMap((value, i) => (i % 3 === 2 ? [value, fourth] : [value]));
}

/** Asserts that a pipeline's gradients, render and loss agree with PyTorch's, and frees the pipeline. */
export async function assertDifferentiatedAgrees(pipeline: Pipeline, scene: DifferentiatedScene): Promise<void> {
  const { config, image, loss, gradients, render } = scene;
  const actual = await pipeline.computeGradients();
  assertGradientsAgree(actual, gradients, 1e-3, config.seed);
  assertEachGradientAgrees(actual, gradients, scene);
  assertImagesAgree(await pipeline.render(image), render, config.seed);
  const statistics = await pipeline.statistics();
  assert.ok(Math.abs(statistics.loss - loss) <= 1e-5 * loss, `loss ${statistics.loss} is not ${loss}`);
  await pipeline.free();
}
