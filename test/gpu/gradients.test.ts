import assert from "node:assert/strict";
import { describe } from "vitest";
import { BinnedPipeline } from "../../src/engine/gpu/binned/pipeline.js";
import type { Gpu } from "../../src/engine/gpu/device.js";
import type { Pipeline } from "../../src/engine/pipeline.js";
import { inactiveCenter } from "../../src/engine/training/initialState.js";
import { assertPassAgrees, assertTrainingAgrees } from "../support/agreement.js";
import { assertDifferentiatedAgrees, differentiatedScenes } from "../support/autodiff.js";
import { backendOn, it } from "../support/gpu.js";
import { passScenes, steepScene } from "../support/passScenes.js";
import { Reference } from "../support/reference.js";
import {
  directScene,
  modelName,
  models,
  type Scene,
  scene,
  sceneOf,
  scheduledScene,
  setParameter,
  trainedModels,
} from "../support/scenes.js";

const openByName = (gpu: Gpu, { config, image, state }: Scene): Promise<Pipeline> =>
  backendOn(gpu).open(config, image, state);

/** Opens the job's pipeline, compares one pass with the reference, and returns the statistics. */
async function compare(gpu: Gpu, job: Scene) {
  const pipeline = await openByName(gpu, job);
  const statistics = await assertPassAgrees(pipeline, job);
  await pipeline.free();
  return statistics;
}

type Open = (gpu: Gpu, scene: Scene) => Promise<Pipeline>;

const byName =
  (pipeline: "simple" | "tiled"): Open =>
  (gpu, { config, image, state }) =>
    backendOn(gpu).open({ ...config, pipeline }, image, state);

const byVariant =
  (variant: "Subgroup" | "Workgroup" | "Thread"): Open =>
  (gpu, scene) =>
    BinnedPipeline.open(gpu, scene, variant);

/** The variants of each pipeline. */
const variantsOf: Record<"simple" | "tiled" | "binned", Record<string, Open>> = {
  simple: { simple: byName("simple") },
  tiled: { tiled: byName("tiled") },
  binned: {
    "binned, Subgroup variant,": byVariant("Subgroup"),
    "binned, Workgroup variant,": byVariant("Workgroup"),
    "binned, Thread variant,": byVariant("Thread"),
  },
};

// One pipeline after the other, to reuse cached kernels: compiling takes most of the time.
for (const pipeline of ["simple", "tiled", "binned"] as const) {
  describe(`the ${pipeline} pipeline agrees with the float64 reference`, () => {
    for (const [title, job] of passScenes(pipeline)) {
      it(title, async ({ gpu }) => {
        await compare(gpu, job());
      });
    }

    for (const blend of ["over", "sum"] as const) {
      it(`with inactive blobs outside the image, which have no effect and no gradient, blend ${blend}`, async ({
        gpu,
      }) => {
        const job = directScene({ pipeline, blend, blobs: 20, seed: 17 });
        for (let blob = 10; blob < 20; blob++)
          for (const field of [0, 1]) setParameter(job, field, inactiveCenter, blob);
        await compare(gpu, job);
        const opened = await openByName(gpu, job);
        const gradients = await opened.computeGradients();
        const { data } = await opened.render(job.image);
        await opened.free();
        for (let field = 0; field < 9; field++) {
          const inactive = gradients.slice(20 * field + 10, 20 * field + 20);
          assert.ok(inactive.every((gradient) => gradient === 0));
        }
        const few = directScene({ pipeline, blend, blobs: 10, seed: 17 });
        for (let field = 0; field < 9; field++) {
          few.state.parameters.set(job.state.parameters.subarray(20 * field, 20 * field + 10), 10 * field);
        }
        const alone = await openByName(gpu, few);
        assert.deepEqual((await alone.render(job.image)).data, data);
        await alone.free();
      });
    }

    it("with large unclamped gradients of direct blobs", async ({ gpu }) => {
      const { gradientNorms } = await compare(gpu, steepScene(pipeline));
      assert.ok(gradientNorms.center > 1000, JSON.stringify(gradientNorms));
    });
  });

  describe(`the ${pipeline} pipeline trains with rates by group, a schedule and exact bias correction`, () => {
    for (const schedule of ["exponential", "cosine"] as const) {
      for (const model of trainedModels) {
        it(`to the float64 reference's parameters: ${model.parameterization} blobs, blend ${model.blend}, ${schedule} schedule`, async ({
          gpu,
        }) => {
          const { image, state, config } = scheduledScene(model, schedule);
          const job = { image, state, config: { ...config, pipeline } };
          const opened = await openByName(gpu, job);
          await assertTrainingAgrees(opened, job, 1, config.steps - 1);
          await opened.free();
        });
      }
    }
  });

  describe(`the ${pipeline} pipeline before its first step`, () => {
    it("renders at another size than the target's, as the reference does", async ({ gpu }) => {
      const { config, image, state } = sceneOf(models[0], { blobs: 24, seed: 21, pipeline });
      const half = { width: image.width / 2, height: image.height / 2 };
      const opened = await openByName(gpu, { config, image, state });
      const { data } = await opened.render(half);
      await opened.free();
      const reference = await new Reference(config, image, state).render(half);
      assert.ok(data.every((value, i) => Math.abs(value - reference.data[i]) <= 1e-3));
    });
  });

  for (const [name, open] of Object.entries(variantsOf[pipeline])) {
    describe(`${name} agrees with automatic differentiation of the formulas`, () => {
      for (const scene of differentiatedScenes) {
        it(scene.name, async ({ gpu }) => {
          await assertDifferentiatedAgrees(await open(gpu, scene), scene);
        });
      }
    });
  }
}

describe("a list longer than GAUSSIANS_PER_BLOCK", () => {
  for (const background of ["original", "white"] as const) {
    it(`takes several forward and backward passes with the reference's result, ${background} background`, async ({
      gpu,
    }) => {
      const job = scene({ pipeline: "tiled", blobs: 450, background, covarianceScale: 0.06 }, 16, 12);
      // Faint, so that the pixels see blobs of every pass.
      setParameter(job, 8, -0.05);
      const { tileLists } = await compare(gpu, job);
      assert.ok(tileLists.passes > 5 && tileLists.longest > 5 * 64, JSON.stringify(tileLists));
    });
  }

  for (const model of models.filter(({ background }) => background !== "original")) {
    it(`takes several passes with the reference's result, ${modelName(model)}`, async ({ gpu }) => {
      const given = { pipeline: "tiled", blobs: 450, covarianceScale: 0.06, seed: 19 };
      const job = sceneOf(model, given, 16, 12);
      setParameter(job, 8, model.parameterization === "direct" ? -3 : -0.05);
      const { tileLists } = await compare(gpu, job);
      assert.ok(tileLists.passes > 5 && tileLists.longest > 5 * 64, JSON.stringify(tileLists));
    });
  }

  it("trains to the same parameters as one that fits, but for the order of float additions", async ({ gpu }) => {
    const train = async (gaussiansPerBlock: number) => {
      const { config, image, state } = scene({ gaussiansPerBlock, blobs: 60, pipeline: "tiled" }, 16, 12);
      const pipeline = await backendOn(gpu).open(config, image, state);
      await pipeline.advance(3);
      const { tileLists } = await pipeline.statistics();
      const { parameters } = await pipeline.state();
      await pipeline.free();
      return { parameters, tileLists };
    };
    const one = await train(64);
    const several = await train(4);
    assert.equal(one.tileLists.passes, 1);
    assert.ok(several.tileLists.passes > 3);
    for (let slot = 0; slot < one.parameters.length; slot++) {
      assert.ok(Math.abs(one.parameters[slot] - several.parameters[slot]) < 1e-3, `slot ${slot}`);
    }
  });
});

describe("the simple pipeline that decodes blobs in blocks", () => {
  for (const gaussiansPerBlock of [4, 16, 64]) {
    it(`agrees with the float64 reference, and has the render's bits of separate decoding, with ${gaussiansPerBlock} of 30 blobs per block`, async ({
      gpu,
    }) => {
      const job = scene({ pipeline: "simple", gaussiansPerBlock });
      await compare(gpu, job);
      const renders = [];
      for (const config of [job.config, { ...job.config, gaussiansPerBlock: "auto" as const }]) {
        const pipeline = await openByName(gpu, { ...job, config });
        renders.push(await pipeline.render({ width: 33, height: 21 }));
        await pipeline.free();
      }
      assert.deepEqual(renders[0], renders[1]);
    });
  }
});
