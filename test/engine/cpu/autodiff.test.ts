import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { assertGradientsAgree } from "../../support/agreement.js";
import { differentiatedScenes } from "../../support/autodiff.js";
import { Reference } from "../../support/reference.js";

describe("the float64 reference agrees with automatic differentiation of the formulas to 1e-6", () => {
  for (const { name, config, image, state, loss, gradients, render: expected } of differentiatedScenes) {
    it(name, () => {
      const reference = new Reference(config, image, state);
      const actual = reference.evaluate();
      assert.ok(Math.abs(actual.loss - loss) <= 1e-12 * loss, `loss ${actual.loss} is not ${loss}`);
      assertGradientsAgree(actual.gradients, gradients, 1e-6, config.seed);
      const { data } = reference.render(image);
      const differs = (value: number, i: number) => i % 4 < 3 && Math.abs(value - expected.data[i]) > 1e-6;
      assert.equal(data.findIndex(differs), -1, "the first channel that differs");
    });
  }
});

it("the scenes of automatic differentiation cover each model, the 1/255 stop, the ceiling, the clamp, and long lists", async () => {
  const models = differentiatedScenes.map(({ config }) => [config.parameterization, config.blend, config.background]);
  assert.equal(new Set(models.map(String)).size, 10);
  const stopped = differentiatedScenes.filter((scene) => scene.justStopped > 0);
  assert.equal(new Set(stopped.map(({ config }) => config.background)).size, 3);
  assert.ok(differentiatedScenes.filter((scene) => scene.ceiling > 0).length >= 2);
  const clamped = differentiatedScenes.filter((scene) => scene.clamped > 0);
  assert.deepEqual(new Set(clamped.map(({ config }) => config.blend)), new Set(["over", "sum"]));
  const overflowing = [];
  for (const { config, image, state, stopped } of differentiatedScenes) {
    const { passes } = await new CpuPipeline(config, image, state).tiles();
    if (Math.max(...passes) > 2) overflowing.push(stopped > 0);
  }
  assert.deepEqual(overflowing, [false, true]);
});
