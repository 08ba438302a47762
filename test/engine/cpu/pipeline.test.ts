import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { inactiveCenter } from "../../../src/engine/training/initialState.js";
import { assertImagesAgree, assertPassAgrees, assertTrainingAgrees } from "../../support/agreement.js";
import { passScenes, steepScene } from "../../support/passScenes.js";
import { Reference } from "../../support/reference.js";
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
} from "../../support/scenes.js";

const open = ({ config, image, state }: Scene) => new CpuPipeline(config, image, state);

/** Returns the bits of some steps and a render. */
async function bitsOf(job: Scene, steps = 3) {
  const pipeline = open(job);
  await pipeline.advance(steps);
  const { loss } = await pipeline.statistics();
  const { data } = await pipeline.render({ width: 23, height: 31 });
  return { state: await pipeline.state(), gradients: await pipeline.gradients(), loss, data };
}

describe("the cpu pipeline agrees with the float64 reference", () => {
  for (const [title, job] of passScenes("cpu")) {
    it(title, async () => {
      await assertPassAgrees(open(job()), job());
    });
  }

  it("with large unclamped gradients of direct blobs", async () => {
    const job = steepScene("cpu");
    const { gradientNorms } = await assertPassAgrees(open(job), job);
    assert.ok(gradientNorms.center > 1000, JSON.stringify(gradientNorms));
  });

  for (const blend of ["over", "sum"] as const) {
    it(`with inactive blobs outside the image, which have no effect and no gradient, blend ${blend}`, async () => {
      const job = directScene({ pipeline: "cpu", blend, blobs: 20, seed: 17 });
      for (let blob = 10; blob < 20; blob++) for (const field of [0, 1]) setParameter(job, field, inactiveCenter, blob);
      const pipeline = open(job);
      await assertPassAgrees(pipeline, job);
      const gradients = await pipeline.gradients();
      for (let field = 0; field < 9; field++) {
        const inactive = gradients.slice(20 * field + 10, 20 * field + 20);
        assert.ok(inactive.every((gradient) => gradient === 0));
      }
    });
  }

  for (const tile of ["24x40", "1024x1024", "3x128"]) {
    it(`with tiles of ${tile}, computed a block at a time`, async () => {
      const job = scene({ pipeline: "cpu", tile, blobs: 60, seed: 8, covarianceScale: 0.01 }, 53, 47);
      await assertPassAgrees(open(job), job);
    });
  }

  for (const model of models) {
    it(`in several passes through long lists, ${modelName(model)}`, async () => {
      const given = { pipeline: "cpu", blobs: 450, covarianceScale: 0.06, seed: 19, gaussiansPerBlock: 32 };
      const job = sceneOf(model, given, 20, 12);
      setParameter(job, 8, model.parameterization === "direct" ? -3 : -0.05);
      const { tileLists } = await assertPassAgrees(open(job), job);
      assert.ok(tileLists.passes > 8 && tileLists.longest > 8 * 32, JSON.stringify(tileLists));
    });
  }

  it("in renders of any shape before the first step", async () => {
    const job = directScene({ pipeline: "cpu", blobs: 40, seed: 9, blend: "over" }, 37, 22);
    for (const size of [
      { width: 1, height: 1 },
      { width: 150, height: 9 },
      { width: 9, height: 150 },
    ]) {
      const expected = new Reference(job.config, job.image, job.state).render(size);
      assertImagesAgree(await open(job).render(size), expected, 9);
    }
  });
});

describe("the cpu pipeline trains with rates by group, a schedule and exact bias correction", () => {
  for (const schedule of ["exponential", "cosine"] as const) {
    for (const model of trainedModels) {
      it(`to the float64 reference's parameters: ${model.parameterization} blobs, blend ${model.blend}, ${schedule} schedule`, async () => {
        const job = scheduledScene(model, schedule);
        await assertTrainingAgrees(open(job), job, 1, job.config.steps - 1);
      });
    }
  }

  for (const blobs of [1, 22, 23]) {
    it(`to the float64 reference's parameters: ${blobs} blobs, not a multiple of four`, async () => {
      const job = scene({ pipeline: "cpu", blobs, seed: 25, biasCorrection: "exact", learningRate: 0.01, steps: 4 });
      await assertTrainingAgrees(open(job), job, 4);
    });
  }
});

describe("the bits of the cpu pipeline", () => {
  for (const model of models) {
    it(`are the same whatever the list capacity, ${modelName(model)}`, async () => {
      const given = { pipeline: "cpu", blobs: 300, covarianceScale: 0.03, seed: 20 };
      const expected = await bitsOf(sceneOf(model, { ...given, gaussiansPerBlock: 1024 }, 40, 24));
      for (const gaussiansPerBlock of [2, 64]) {
        const { state, ...rest } = await bitsOf(sceneOf(model, { ...given, gaussiansPerBlock }, 40, 24));
        assert.deepEqual({ state, ...rest }, expected, `list capacity ${gaussiansPerBlock}`);
      }
    });
  }

  it("are the same however the steps are split, and after loading another state", async () => {
    const job = scene({ pipeline: "cpu", blobs: 80, seed: 22, biasCorrection: "exact" }, 40, 40);
    const expected = await bitsOf(job, 4);
    const pipeline = open(job);
    await pipeline.advance(1);
    await pipeline.render(job.image);
    const middle = await pipeline.state();
    await pipeline.advance(2);
    await pipeline.load(middle);
    await pipeline.tiles();
    await pipeline.advance(3);
    assert.deepEqual(await pipeline.state(), expected.state);
    assert.deepEqual(await pipeline.gradients(), expected.gradients);
  });
});

describe("NaN and infinities", () => {
  for (const parameterization of ["smoothstep", "direct"] as const) {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38, -3e38]) {
      it(`in a ${parameterization} blob's position or shape do not affect the others: ${bad}`, async () => {
        const model = { parameterization, blend: "over", background: "black" } as const;
        for (let field = 0; field < 5; field++) {
          const job = sceneOf(model, { pipeline: "cpu", blobs: 20, seed: 23 });
          setParameter(job, field, bad, 7);
          const pipeline = open(job);
          const gradients = await pipeline.computeGradients();
          for (let slot = 0; slot < gradients.length; slot++) {
            if (slot % 20 !== 7) assert.ok(Number.isFinite(gradients[slot]), `field ${field}, slot ${slot}`);
          }
          const { data } = await pipeline.render(job.image);
          assert.ok(data.every(Number.isFinite), `field ${field}`);
        }
      });
    }
  }
});
