import { describe } from "vitest";
import { BinnedPipeline } from "../../src/engine/gpu/binned/pipeline.js";
import type { Gpu } from "../../src/engine/gpu/device.js";
import type { Pipeline } from "../../src/engine/pipeline.js";
import { assertPassAgrees, assertTrainingAgrees, named } from "../support/agreement.js";
import { assertDifferentiatedAgrees, differentiatedScenes } from "../support/autodiff.js";
import { backendOn, it } from "../support/gpu.js";
import { blendName, hardScene, passScenes } from "../support/passScenes.js";
import { type Scene, scheduledScene, trainedModels } from "../support/scenes.js";

const pipelines = ["simple", "tiled", "binned"] as const;

type Open = (gpu: Gpu, scene: Scene) => Promise<Pipeline>;

/** Opens the pipelines; on the software adapter `binned` runs its Thread variant. */
const byName: Record<string, Open> = Object.fromEntries(
  pipelines.map((pipeline): [string, Open] => [
    pipeline,
    (gpu, { config, image, state }) => backendOn(gpu).open({ ...config, pipeline }, image, state),
  ]),
);

/** Opens the other kernel variants, of which fewer scenes are compared: barriers are slow on the software adapter. */
const byVariant: Record<string, Open> = {
  "binned, Workgroup variant": (gpu, scene) => BinnedPipeline.open(gpu, scene, "Workgroup"),
  "binned, Subgroup variant": (gpu, scene) => BinnedPipeline.open(gpu, scene, "Subgroup"),
};

// One pipeline after the other, to reuse cached kernels: compiling takes most of the time.
for (const [name, open] of Object.entries({ ...byName, ...byVariant })) {
  describe(name, () => {
    for (const model of trainedModels) {
      const { parameterization, blend, background } = model;
      const scenes = differentiatedScenes.filter(
        ({ config, clamped }) =>
          config.parameterization === parameterization &&
          config.blend === blend &&
          (name in byName || config.background === background || clamped > 0),
      );
      it(`has the gradients, renders and losses of automatic differentiation, ${blendName(model)}`, async ({ gpu }) => {
        for (const scene of scenes)
          await named(scene.name, async () => assertDifferentiatedAgrees(await open(gpu, scene), scene));
      });
    }
  });
}

for (const pipeline of pipelines) {
  describe(pipeline, () => {
    /** In simple, blobs are decoded one by one; the scenes of automatic differentiation decode them in blocks. */
    const gaussiansPerBlock = pipeline === "simple" ? ("auto" as const) : 64;

    for (const [at, model] of trainedModels.entries()) {
      it(`agrees with the float64 reference in a pass, and trains to its parameters with a schedule and rates by group, ${blendName(model)}`, async ({
        gpu,
      }) => {
        const backend = backendOn(gpu);
        const hard = hardScene(model, { pipeline, gaussiansPerBlock });
        const opened = await backend.open(hard.config, hard.image, hard.state);
        await assertPassAgrees(opened, hard);
        await opened.free();
        const job = scheduledScene(model, at % 2 ? "cosine" : "exponential", { pipeline, gaussiansPerBlock });
        const trained = await backend.open(job.config, job.image, job.state);
        await assertTrainingAgrees(trained, job, 1, job.config.steps - 1);
        await trained.free();
      });
    }

    it("agrees with the float64 reference in tiles of other sizes, and at and beyond the clamp", async ({ gpu }) => {
      for (const [title, job] of passScenes(pipeline)) {
        const opened = await backendOn(gpu).open(job.config, job.image, job.state);
        await named(title, () => assertPassAgrees(opened, job));
        await opened.free();
      }
    });
  });
}
