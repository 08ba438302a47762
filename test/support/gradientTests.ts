import { describe } from "vitest";
import type { PipelineName } from "../../src/engine/config.js";
import type { Gpu } from "../../src/engine/gpu/device.js";
import type { Pipeline } from "../../src/engine/pipeline.js";
import { assertPassAgrees, assertTrainingAgrees, named } from "./agreement.js";
import { assertDifferentiatedAgrees, differentiatedScenes } from "./autodiff.js";
import { backendOn, it } from "./gpu.js";
import { hardScene, passScenes } from "./passScenes.js";
import { blendModels, modelName, type Scene, scheduledScene } from "./scenes.js";

/** One number for all, since each compiles kernels of its own. Some lists are longer. */
const gaussiansPerBlock = 32;

/**
 * Declares the tests that compare an engine with the results of automatic differentiation, with few models, since
 * compiling their kernels takes most of the time.
 * @param longLists whether lists longer than GAUSSIANS_PER_BLOCK are compared too
 */
export function testDifferentiated(
  name: string,
  open: (gpu: Gpu, scene: Scene) => Promise<Pipeline>,
  longLists: boolean,
): void {
  describe(`${name} has the gradients, renders and losses of automatic differentiation`, () => {
    for (const model of blendModels) {
      const scenes = differentiatedScenes.filter(
        ({ config }) =>
          config.parameterization === model.parameterization &&
          config.blend === model.blend &&
          (config.background === model.background || (longLists && config.gaussiansPerBlock === 32)),
      );
      it(modelName(model), async ({ gpu }) => {
        for (const scene of scenes) {
          const job = { ...scene, config: { ...scene.config, gaussiansPerBlock } };
          await named(scene.name, async () => assertDifferentiatedAgrees(await open(gpu, job), job));
        }
      });
    }
  });
}

/** Declares the tests that compare a pipeline with automatic differentiation and with the float64 reference. */
export function testGradients(pipeline: PipelineName): void {
  const open = (gpu: Gpu, { config, image, state }: Scene) =>
    backendOn(gpu).open({ ...config, pipeline }, image, state);
  testDifferentiated(pipeline, open, true);

  describe(`${pipeline} agrees with the float64 reference`, () => {
    for (const [at, model] of blendModels.entries()) {
      it(`in a pass and in training with a schedule and rates by group, ${modelName(model)}`, async ({ gpu }) => {
        const hard = hardScene(model, { gaussiansPerBlock }, ...(at % 2 ? [12, 21] : []));
        const opened = await open(gpu, hard);
        await assertPassAgrees(opened, hard);
        await opened.free();
        const job = scheduledScene(model, at % 2 ? "cosine" : "exponential", { gaussiansPerBlock });
        const trained = await open(gpu, job);
        await assertTrainingAgrees(trained, job, 1, job.config.steps - 1);
        await trained.free();
      });
    }

    // In simple, these blobs are decoded one by one.
    it("in tiles of other sizes, and at and beyond the clamp", async ({ gpu }) => {
      for (const [title, job] of passScenes(pipeline)) {
        const opened = await open(gpu, job);
        await named(title, () => assertPassAgrees(opened, job));
        await opened.free();
      }
    });
  });
}
