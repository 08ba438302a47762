import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { clampGradient } from "../../../src/engine/model/accumulate.js";
import { parameterNames } from "../../../src/engine/model/blobs.js";
import { inactiveCenter } from "../../../src/engine/training/initialState.js";
import { assertEachGradientAgrees, assertGradientsAgree } from "../../support/agreement.js";
import { hardScene, passScenes } from "../../support/passScenes.js";
import { Reference } from "../../support/reference.js";
import {
  clampedScene,
  directScene,
  gradientScales,
  modelName,
  models,
  type Scene,
  scene,
  setParameter,
} from "../../support/scenes.js";

const step = 1e-6;

/** Returns the central difference of the reference's loss in each slot. */
function differencesOf({ config, image, state }: Scene): Float64Array {
  const oracle = new Reference(config, image, state);
  const at = Float64Array.from(state.parameters);
  const loss = (slot: number, offset: number) => oracle.evaluate(at.with(slot, at[slot] + offset)).loss;
  return at.map((_, slot) => (loss(slot, step) - loss(slot, -step)) / (2 * step));
}

const gradientsOf = ({ config, image, state }: Scene) => new Reference(config, image, state).evaluate().gradients;

/** Asserts that gradients equal central differences in every slot, relative to the slot. */
function assertDifferencesAgree({ config }: Scene, gradients: Float64Array, differences: Float64Array): void {
  const scales = gradientScales(gradients);
  for (const [slot, difference] of differences.entries()) {
    const field = Math.floor(slot / config.blobs);
    // The rounding of the loss, about 1e-10 after dividing by the step.
    const tolerance = Math.min(1e-5 * scales[field], 1e-4 * Math.abs(difference)) + 1e-9;
    if (Math.abs(gradients[slot] - difference) <= tolerance) continue;
    const where = `seed ${config.seed}, blob ${slot % config.blobs}, ${parameterNames[field]}`;
    assert.fail(`${where}: gradient ${gradients[slot]}, central difference ${difference}, tolerance ${tolerance}`);
  }
}

describe("the gradients of the float64 reference equal central differences", () => {
  const original = { parameterization: "smoothstep", blend: "over", background: "original" } as const;
  const white = { ...original, background: "white" } as const;
  for (const model of [original, white, ...models]) {
    it(`in tiles that do not divide the image, ${modelName(model)}`, () => {
      const job = hardScene(model, { blobs: 12, tile: [7, 5] }, 13, 9);
      const gradients = gradientsOf(job);
      assertDifferencesAgree(job, gradients, differencesOf(job));
      // In a sum of direct blobs the opacity has no effect.
      const isBlind = model.parameterization === "direct" && model.blend === "sum";
      for (const [field, scale] of gradientScales(gradients).entries())
        assert.equal(scale > 1e-4, !(isBlind && field === 8), parameterNames[field]);
    });
  }

  it("except for the clamp of a pixel's gradient to ±10", () => {
    const job = clampedScene("cpu");
    const [gradients, differences] = [gradientsOf(job), differencesOf(job)];
    for (const [slot, difference] of differences.entries()) {
      const expected = clampGradient(difference, 10);
      const tolerance = 1e-4 * Math.max(1, Math.abs(expected));
      assert.ok(Math.abs(gradients[slot] - expected) < tolerance, `${gradients[slot]} is not ${expected}`);
    }
    const clamped = differences.filter((difference) => Math.abs(difference) > 10).length;
    assert.ok(clamped > 2 && clamped < differences.length, `${clamped} are clamped`);
  });

  it("without a clamp for direct blobs", () => {
    const [, job] = passScenes("cpu").at(-1)!;
    const gradients = gradientsOf(job);
    assert.ok(gradientScales(gradients)[0] > 1000, String(gradients));
    assertDifferencesAgree(job, gradients, differencesOf(job));
  });

  it("and are zero for an inactive blob, and for a raw parameter outside the range of the smoothstep", () => {
    const inactive = directScene({ blobs: 10, blend: "over" });
    for (const field of [0, 1]) setParameter(inactive, field, inactiveCenter, 3);
    const ofInactive = gradientsOf(inactive);
    for (let field = 0; field < 9; field++)
      assert.deepEqual([ofInactive[10 * field + 3] === 0, ofInactive[10 * field + 4] === 0], [true, false]);
    const outside = scene({ blobs: 10, seed: 8 });
    setParameter(outside, 0, 1.01, 3);
    setParameter(outside, 5, -0.01, 3);
    const ofOutside = gradientsOf(outside);
    assert.deepEqual(
      [3, 53, 13].map((slot) => ofOutside[slot] === 0),
      [true, true, false],
    );
  });
});

it("a wrong sign is found next to gradients a thousand times as large, by differences and by the comparison with kernels", () => {
  const job = directScene({ blobs: 12, blend: "over", background: "white" }, 13, 9);
  // One blob is far weaker than the others.
  setParameter(job, 8, -9, 5);
  const right = gradientsOf(job);
  const wrong = right.map((gradient, slot) => (slot % 12 === 5 ? -gradient : gradient));
  assertEachGradientAgrees(Float32Array.from(right), right, job);
  assertGradientsAgree(wrong, right, 1e-3, job.config.seed);
  assert.throws(() => assertEachGradientAgrees(wrong, right, job), /separately: .* is not /);
  assert.throws(() => assertDifferencesAgree(job, wrong, differencesOf(job)), /central difference/);
});
