import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { assertPassAgrees, assertTrainingAgrees, named } from "../../support/agreement.js";
import { assertDifferentiatedAgrees, differentiatedScenes } from "../../support/autodiff.js";
import { hardScene, passScenes } from "../../support/passScenes.js";
import {
  blendModels,
  modelName,
  models,
  type Scene,
  scene,
  sceneOf,
  scheduledScene,
  setParameter,
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

describe("the cpu pipeline", () => {
  it("has the gradients, renders and losses of automatic differentiation", async () => {
    for (const scene of differentiatedScenes)
      await named(scene.name, () => assertDifferentiatedAgrees(open(scene), scene));
  });

  for (const [at, model] of blendModels.entries()) {
    it(`agrees with the float64 reference in a pass, and trains to its parameters with a schedule and rates by group, ${modelName(model)}`, async () => {
      const hard = hardScene(model);
      await assertPassAgrees(open(hard), hard);
      // Not a multiple of four.
      const job = scheduledScene(model, at % 2 ? "cosine" : "exponential", { blobs: 23 });
      await assertTrainingAgrees(open(job), job, 1, job.config.steps - 1);
    });
  }

  it("takes several passes through long lists", async () => {
    for (const model of [blendModels[0], blendModels[3]]) {
      const given = { blobs: 200, covarianceScale: 0.06, seed: 19, gaussiansPerBlock: 32 };
      const job = sceneOf(model, given, 20, 12);
      setParameter(job, 8, model.parameterization === "direct" ? -3 : -0.05);
      const { tileLists } = await assertPassAgrees(open(job), job);
      assert.ok(tileLists.passes > 3 && tileLists.longest > 3 * 32, JSON.stringify(tileLists));
    }
  });

  it("agrees with the float64 reference in tiles of other sizes, and at and beyond the clamp", async () => {
    for (const [title, job] of passScenes("cpu")) await named(title, () => assertPassAgrees(open(job), job));
    const large = scene({ tile: "24x40", blobs: 60, seed: 8, covarianceScale: 0.01 }, 53, 47);
    await assertPassAgrees(open(large), large);
  });
});

describe("the bits of the cpu pipeline", () => {
  it("are the same whatever the list capacity", async () => {
    for (const model of [models[0], models[7]]) {
      const given = { pipeline: "cpu", blobs: 300, covarianceScale: 0.03, seed: 20 };
      const expected = await bitsOf(sceneOf(model, { ...given, gaussiansPerBlock: 1024 }, 40, 24));
      for (const gaussiansPerBlock of [2, 64])
        assert.deepEqual(await bitsOf(sceneOf(model, { ...given, gaussiansPerBlock }, 40, 24)), expected);
    }
  });

  it("are the same for covariance scales that differ in the last digits, as the default does among engines", async () => {
    const [bits, others] = [0.03, 0.03 * (1 + 5e-11)].map((covarianceScale) =>
      bitsOf(scene({ blobs: 2000, blend: "sum", background: "black", covarianceScale }, 40, 40)),
    );
    assert.deepEqual(await others, await bits);
  });

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

it("NaN and infinities in a blob's position or shape do not affect the other blobs", async () => {
  for (const model of [blendModels[0], blendModels[2]]) {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -3e38]) {
      for (let field = 0; field < 5; field++) {
        const job = sceneOf(model, { blobs: 20, seed: 23 });
        setParameter(job, field, bad, 7);
        const pipeline = open(job);
        const others = (await pipeline.computeGradients()).filter((_, slot) => slot % 20 !== 7);
        const { data } = await pipeline.render(job.image);
        assert.ok(others.every(Number.isFinite) && data.every(Number.isFinite), `${bad} in field ${field}`);
      }
    }
  }
});
