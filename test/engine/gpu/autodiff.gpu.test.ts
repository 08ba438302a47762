import assert from "node:assert/strict";
import { describe } from "vitest";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { BinnedPipeline } from "../../../src/engine/gpu/binned/pipeline.js";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import type { Pipeline } from "../../../src/engine/pipeline.js";
import { assertEachGradientAgrees, assertGradientsAgree, assertPicturesAgree } from "../../support/agreement.js";
import { type DifferentiatedScene, differentiatedScenes } from "../../support/autodiff.js";
import { backendOn, it } from "../../support/gpu.js";
import type { Scene } from "../../support/scenes.js";

type Open = (gpu: Gpu, scene: Scene) => Promise<Pipeline>;

const named =
  (pipeline: "simple" | "tiled"): Open =>
  (gpu, { config, image, state }) =>
    backendOn(gpu).open({ ...config, pipeline }, image, state);

const binned =
  (division: "Subgroup" | "Workgroup" | "Thread"): Open =>
  (gpu, scene) =>
    BinnedPipeline.open(gpu, scene, division);

const pipelines: Record<string, Open> = {
  simple: named("simple"),
  tiled: named("tiled"),
  "binned, a segment a subgroup,": binned("Subgroup"),
  "binned, a segment a workgroup,": binned("Workgroup"),
  "binned, a segment a thread,": binned("Thread"),
  cpu: async (_, { config, image, state }) => new CpuPipeline(config, image, state, Float32Array),
};

async function compare(gpu: Gpu, open: Open, scene: DifferentiatedScene): Promise<void> {
  const { config, image, loss, gradients, picture } = scene;
  const pipeline = await open(gpu, scene);
  const actual = await pipeline.computeGradients();
  assertGradientsAgree(actual, gradients, 1e-3, config.seed);
  assertEachGradientAgrees(actual, gradients, scene);
  assertPicturesAgree(await pipeline.render(image), picture, config.seed);
  const statistics = await pipeline.statistics();
  assert.ok(Math.abs(statistics.loss - loss) <= 1e-5 * loss, `loss ${statistics.loss} is not ${loss}`);
  await pipeline.free();
}

for (const [name, open] of Object.entries(pipelines)) {
  describe(`${name} agrees with automatic differentiation of the formulas`, () => {
    for (const scene of differentiatedScenes) {
      it(scene.name, async ({ gpu }) => {
        await compare(gpu, open, scene);
      });
    }
  });
}
