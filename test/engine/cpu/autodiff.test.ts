import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { assertGradientsAgree } from "../../support/agreement.js";
import { assertDifferentiatedAgrees, differentiatedScenes } from "../../support/autodiff.js";
import { Reference } from "../../support/reference.js";

describe("the float64 reference agrees with automatic differentiation of the formulas to 1e-6", () => {
  for (const { name, config, image, state, loss, gradients, render: expected } of differentiatedScenes) {
    it(name, async () => {
      const reference = new Reference(config, image, state);
      const actual = reference.evaluate();
      assert.ok(Math.abs(actual.loss - loss) <= 1e-12 * loss, `loss ${actual.loss} is not ${loss}`);
      assertGradientsAgree(actual.gradients, gradients, 1e-6, config.seed);
      const { data } = await reference.render(image);
      for (let value = 0; value < data.length; value++) {
        if (value % 4 === 3) continue;
        const difference = Math.abs(data[value] - expected.data[value]);
        assert.ok(difference <= 1e-6, `pixel ${value >> 2}: a channel differs by ${difference}`);
      }
    });
  }
});

describe("the cpu pipeline, in float32, agrees with automatic differentiation of the formulas", () => {
  for (const scene of differentiatedScenes) {
    it(scene.name, async () => {
      const { config, image, state } = scene;
      await assertDifferentiatedAgrees(new CpuPipeline(config, image, state), scene);
    });
  }
});

describe("the scenes of automatic differentiation", () => {
  it("cover every option of the model", () => {
    const models = differentiatedScenes.map(({ config }) => [config.parameterization, config.blend, config.background]);
    assert.equal(new Set(models.map(String)).size, 10);
  });

  it("cover the 1/255 stop with each background, the ceiling of α and the clamp", () => {
    const stopped = differentiatedScenes.filter((scene) => scene.justStopped > 0);
    assert.equal(new Set(stopped.map(({ config }) => config.background)).size, 3);
    assert.ok(differentiatedScenes.filter((scene) => scene.ceiling > 0).length >= 2);
    const clamped = differentiatedScenes.filter((scene) => scene.clamped > 0);
    assert.deepEqual(new Set(clamped.map(({ config }) => config.blend)), new Set(["over", "sum"]));
  });

  it("cover lists longer than GAUSSIANS_PER_BLOCK, with and without the 1/255 stop", async () => {
    const overflowing = [];
    for (const { config, image, state, stopped } of differentiatedScenes) {
      const { passes } = await new CpuPipeline(config, image, state).tiles();
      if (Math.max(...passes) > 2) overflowing.push(stopped > 0);
    }
    assert.deepEqual(overflowing, [false, true]);
  });
});
