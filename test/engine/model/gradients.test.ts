import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { clampGradient } from "../../../src/engine/model/accumulate.js";
import { parameterNames } from "../../../src/engine/model/blobs.js";
import { inactiveCenter } from "../../../src/engine/training/initialState.js";
import { assertEachGradientAgrees, assertGradientsAgree } from "../../support/agreement.js";
import { Reference } from "../../support/reference.js";
import * as scenes from "../../support/scenes.js";
import { gradientScales, modelName, models, type Scene, setParameter } from "../../support/scenes.js";

// Small, since each slot takes two passes over the image.
const size = [13, 9] as const;
const scene: typeof scenes.scene = (overrides, ...own) => scenes.scene(overrides, ...(own.length > 0 ? own : size));
const sceneOf: typeof scenes.sceneOf = (model, overrides, ...own) =>
  scenes.sceneOf(model, overrides, ...(own.length > 0 ? own : size));
const directScene: typeof scenes.directScene = (overrides, ...own) =>
  scenes.directScene(overrides, ...(own.length > 0 ? own : size));

const step = 1e-6;

/** Compares the reference's gradient with central differences of its loss in every slot, relative to the slot. */
function checkGradients({ config, image, state }: Scene, of = (gradients: Float64Array) => gradients): void {
  const oracle = new Reference(config, image, state);
  const at = Float64Array.from(state.parameters);
  const gradients = of(Float64Array.from(oracle.evaluate(at).gradients));
  const scales = gradientScales(gradients);
  for (let slot = 0; slot < at.length; slot++) {
    const field = Math.floor(slot / config.blobs);
    const loss = (offset: number) => oracle.evaluate(at.with(slot, at[slot] + offset)).loss;
    const difference = (loss(step) - loss(-step)) / (2 * step);
    // The rounding of the loss, about 1e-10 after dividing by the step.
    const tolerance = Math.min(1e-5 * scales[field], 1e-4 * Math.abs(difference)) + 1e-9;
    if (Math.abs(gradients[slot] - difference) <= tolerance) continue;
    const where = `seed ${config.seed}, blob ${slot % config.blobs}, ${parameterNames[field]}`;
    assert.fail(`${where}: gradient ${gradients[slot]}, central difference ${difference}, tolerance ${tolerance}`);
  }
}

describe("the gradients of the float64 reference equal central differences", () => {
  for (const background of ["original", "white"] as const) {
    it(`at random initialization, ${background} background, all nine parameters`, () => {
      const job = scene({ background, blobs: 12 });
      checkGradients(job);
      const { config, image, state } = job;
      const { gradients } = new Reference(config, image, state).evaluate();
      assert.ok(
        gradientScales(gradients).every((scale) => scale > 1e-4),
        "every parameter has a gradient to check",
      );
    });

    for (const biasCorrection of ["constant", "exact"] as const) {
      it(`after five steps, ${background} background, ${biasCorrection} bias correction`, async () => {
        const job = scene({ background, biasCorrection, blobs: 10, learningRate: 0.02, seed: 2 });
        const trained = new CpuPipeline(job.config, job.image, job.state);
        await trained.advance(5);
        const state = await trained.state();
        assert.notDeepEqual(state.parameters, job.state.parameters);
        checkGradients({ ...job, state });
      });
    }

    it(`where all blobs overlap, ${background} background`, () => {
      const job = scene({ background, blobs: 10, seed: 3 });
      for (let blob = 0; blob < 10; blob++) {
        setParameter(job, 0, 0.5 + 0.002 * blob, blob);
        setParameter(job, 1, 0.5 - 0.001 * blob, blob);
      }
      checkGradients(job);
    });

    it(`where blobs are nearly opaque and pixels reach the 1/255 stop, ${background} background`, async () => {
      const job = scene({ background, blobs: 20, seed: 4 });
      setParameter(job, 8, 0.93);
      checkGradients(job);
      const { config, image, state } = job;
      const { data } = await new Reference(config, image, state).render(image);
      assert.ok(
        data.some((transmittance, i) => i % 4 === 3 && transmittance < 1 / 255),
        "a pixel reaches the stop",
      );
    });

    it(`where blobs sit on the image's edge and corners, ${background} background`, () => {
      const job = scene({ background, blobs: 8, seed: 5 });
      for (let blob = 0; blob < 8; blob++) {
        setParameter(job, 0, blob % 2 ? 0.02 : 0.98, blob);
        setParameter(job, 1, blob % 4 < 2 ? 0.03 : 0.5, blob);
      }
      checkGradients(job);
    });
  }

  for (const model of models) {
    const named = modelName(model);
    const isDirect = model.parameterization === "direct";
    /** In a sum of direct blobs the opacity has no effect. */
    const isBlind = isDirect && model.blend === "sum";

    it(`at random initialization, ${named}${isBlind ? ", all parameters except opacity" : ", all nine parameters"}`, () => {
      const job = sceneOf(model, { blobs: 12, seed: 11 });
      checkGradients(job);
      const { config, image, state } = job;
      const scales = gradientScales(new Reference(config, image, state).evaluate().gradients);
      assert.ok(scales.slice(0, 8).every((scale) => scale > 1e-4));
      assert.equal(scales[8] > 1e-4, !isBlind);
      if (isBlind) assert.equal(scales[8], 0);
    });

    it(`after five steps with a schedule, ${named}`, async () => {
      const rates = { learningRate: 0.02, centerRate: 3, colorRate: 0.5, schedule: "cosine", finalRate: 0.1, steps: 5 };
      const job = sceneOf(model, { ...rates, biasCorrection: "exact", blobs: 10, seed: 12 });
      const trained = new CpuPipeline(job.config, job.image, job.state);
      await trained.advance(5);
      const state = await trained.state();
      assert.notDeepEqual(state.parameters, job.state.parameters);
      checkGradients({ ...job, state });
    });

    it(`where all blobs overlap, ${named}`, () => {
      const job = sceneOf(model, { blobs: 10, seed: 13 });
      const [width, height] = isDirect ? size : [1, 1];
      for (let blob = 0; blob < 10; blob++) {
        setParameter(job, 0, width * (0.5 + 0.002 * blob), blob);
        setParameter(job, 1, height * (0.5 - 0.001 * blob), blob);
      }
      checkGradients(job);
    });

    it(`where blobs are nearly opaque, ${named}`, () => {
      const job = sceneOf(model, { blobs: 20, seed: 14 });
      setParameter(job, 8, isDirect ? 5 : 0.93);
      checkGradients(job);
    });

    it(`where blobs sit on the image's edge and corners, ${named}`, () => {
      const job = sceneOf(model, { blobs: 8, seed: 15 });
      const [width, height] = isDirect ? size : [1, 1];
      for (let blob = 0; blob < 8; blob++) {
        setParameter(job, 0, width * (blob % 2 ? 0.02 : 0.98), blob);
        setParameter(job, 1, height * (blob % 4 < 2 ? 0.03 : 0.5), blob);
      }
      checkGradients(job);
    });
  }

  for (const blend of ["over", "sum"] as const) {
    it(`where direct blobs are thinner than a pixel and strongly tilted, blend ${blend}`, () => {
      const job = directScene({ blend, blobs: 8, seed: 16 });
      for (let blob = 0; blob < 8; blob++) {
        setParameter(job, 2 + (blob % 2), Math.log(0.1), blob);
        setParameter(job, 4, blob % 4 < 2 ? 2.5 : -2.5, blob);
      }
      checkGradients(job);
    });
  }

  it("where tiles do not divide the image", () => {
    checkGradients(scene({ blobs: 12, tile: "7x5", seed: 6 }, 23, 17));
  });

  it("except for the clamp of a pixel's gradient to ±10", () => {
    const { config, image, state } = scene({ blobs: 4, covarianceScale: 1e-10, seed: 7 }, 1, 1);
    for (let blob = 0; blob < 4; blob++) {
      // Near the only pixel, at UV (0, 0), where the slope of the smoothstep is not zero.
      for (const field of [0, 1]) state.parameters[4 * field + blob] = 0.0008 + 0.0002 * blob;
    }
    const oracle = new Reference(config, image, state);
    const at = Float64Array.from(state.parameters);
    const { gradients } = oracle.evaluate(at);
    let clamped = 0;
    for (let slot = 0; slot < at.length; slot++) {
      const loss = (offset: number) => oracle.evaluate(at.with(slot, at[slot] + offset)).loss;
      const difference = (loss(step) - loss(-step)) / (2 * step);
      if (Math.abs(difference) > 10) clamped++;
      const expected = clampGradient(difference, 10);
      assert.ok(
        Math.abs(gradients[slot] - expected) < 1e-4 * Math.max(1, Math.abs(expected)),
        `slot ${slot}: ${gradients[slot]} is not ${expected}`,
      );
    }
    assert.ok(clamped > 2 && clamped < at.length, `${clamped} of ${at.length} are clamped`);
  });

  it("without a clamp for direct blobs", () => {
    const job = directScene({ blobs: 1 }, 1, 1);
    for (const [field, value] of [0.3, -0.2, 0, 0, 0.5, 900, -500, 200, 0].entries())
      setParameter(job, field, value, 0);
    const { gradients } = new Reference(job.config, job.image, job.state).evaluate();
    assert.ok(gradientScales(gradients)[0] > 1000, String(gradients));
    checkGradients(job);
  });

  it("and are zero for an inactive blob", () => {
    const job = directScene({ blobs: 10, blend: "over" });
    for (const field of [0, 1]) setParameter(job, field, inactiveCenter, 3);
    const { gradients } = new Reference(job.config, job.image, job.state).evaluate();
    for (let field = 0; field < 9; field++) {
      assert.equal(gradients[10 * field + 3], 0);
      assert.notEqual(gradients[10 * field + 4], 0);
    }
  });

  it("and are zero for a raw parameter outside the range of the smoothstep", () => {
    const job = scene({ blobs: 10, seed: 8 });
    setParameter(job, 0, 1.01, 3);
    setParameter(job, 5, -0.01, 3);
    const { gradients } = new Reference(job.config, job.image, job.state).evaluate();
    assert.equal(Math.abs(gradients[3]), 0);
    assert.equal(Math.abs(gradients[53]), 0);
    assert.notEqual(gradients[13], 0);
  });
});

describe("a wrong sign of the weakest blob's gradient", () => {
  /** Returns the gradients with those of the weakest blob negated. */
  function flipped(gradients: Float64Array): Float64Array {
    const blobs = gradients.length / 9;
    const scales = gradientScales(gradients);
    const strength = (blob: number) => {
      const fractions = scales.map((scale, field) =>
        scale === 0 ? 0 : Math.abs(gradients[field * blobs + blob]) / scale,
      );
      return Math.max(...fractions) || Number.POSITIVE_INFINITY;
    };
    const weakest = [...Array(blobs).keys()].reduce((a, b) => (strength(b) < strength(a) ? b : a));
    return gradients.map((gradient, slot) => (slot % blobs === weakest ? -gradient : gradient));
  }
  /** Makes one blob far weaker than the others. */
  function faintScene(job: Scene): Scene {
    setParameter(job, 8, job.config.parameterization === "direct" ? -9 : -0.11, 5);
    return job;
  }
  const jobs = {
    "smoothstep blobs": () => faintScene(scene({ blobs: 12 })),
    "direct blobs": () => faintScene(directScene({ blobs: 12, blend: "over" })),
    "direct blobs over white": () => faintScene(directScene({ blobs: 12, blend: "over", background: "white" })),
  };
  for (const [name, make] of Object.entries(jobs)) {
    it(`is found next to gradients a thousand times as large, by differences and by the comparison with kernels, ${name}`, () => {
      const job = make();
      const { config, image, state } = job;
      const right = Float64Array.from(new Reference(config, image, state).evaluate().gradients);
      const wrong = flipped(right);
      assert.notDeepEqual(wrong, right);
      assertEachGradientAgrees(Float32Array.from(right), right, job);
      assertGradientsAgree(wrong, right, 1e-3, config.seed);
      assert.throws(() => assertEachGradientAgrees(wrong, right, job), /separately: .* is not /);
      checkGradients(job);
      assert.throws(() => checkGradients(job, flipped), /central difference/);
    });
  }
});
